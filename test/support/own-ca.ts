import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTest } from "./cleanups.js";

/** Files of a test CA of a team, made by OpenSSL: root, intermediate CA, and the server's certificate. */
export interface OwnCa {
  readonly folder: string;
  readonly root: string;
  readonly chain: string;
  readonly certificate: string;
  readonly key: string;
  /** Another certificate of the same intermediate CA. */
  issue(name: string, extensions: string, ...words: string[]): { readonly certificate: string; readonly key: string };
}

const serverExtensions =
  "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:false";

export function ownCa(): OwnCa {
  const folder = mkdtempSync(join(tmpdir(), "own-ca-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  const path = (file: string) => join(folder, file);
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const request = (name: string) =>
    openssl(
      ...`req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`.split(
        " ",
      ),
    );
  const sign = (name: string, issuer: string, extensions: string, words: readonly string[] = ["-days", "30"]) => {
    request(name);
    writeFileSync(path(`${name}.ext`), extensions);
    const by = ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`, "-CAcreateserial"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-extfile", `${name}.ext`, ...words, "-out", `${name}.pem`);
    return { certificate: path(`${name}.pem`), key: path(`${name}.key`) };
  };
  openssl(
    ...`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=TeamRoot -keyout root.key -out root.pem`.split(
      " ",
    ),
  );
  sign("issuer", "root", "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign");
  const server = sign("server", "issuer", serverExtensions);
  execFileSync("sh", ["-c", "cat issuer.pem root.pem > chain.pem"], { cwd: folder });
  return {
    folder,
    root: path("root.pem"),
    chain: path("chain.pem"),
    ...server,
    issue: (name, extensions, ...words) => sign(name, "issuer", extensions, words.length > 0 ? words : undefined),
  };
}
