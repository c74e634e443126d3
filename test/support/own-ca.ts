import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile, afterTest } from "./cleanups.js";

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

const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

const serverExtensions =
  "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:false";

/** Made once for the tests of a file: OpenSSL is started seven times for it. */
let original: string | undefined;

export function ownCa(): OwnCa {
  original ??= makeCa();
  const folder = mkdtempSync(join(tmpdir(), "own-ca-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(original, folder, { recursive: true });
  const path = (file: string) => join(folder, file);
  return {
    folder,
    root: path("root.pem"),
    chain: path("chain.pem"),
    certificate: path("server.pem"),
    key: path("server.key"),
    issue: (name, extensions, ...words) => {
      sign(folder, name, "issuer", extensions, words.length > 0 ? words : undefined);
      return { certificate: path(`${name}.pem`), key: path(`${name}.key`) };
    },
  };
}

function makeCa(): string {
  const folder = mkdtempSync(join(tmpdir(), "own-ca-"));
  afterFile(() => {
    rmSync(folder, { recursive: true, force: true });
    original = undefined;
  });
  openssl(folder, ...`req -x509 ${newKey} -days 30 -subj /CN=TeamRoot -keyout root.key -out root.pem`.split(" "));
  sign(folder, "issuer", "root", "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign");
  sign(folder, "server", "issuer", serverExtensions);
  execFileSync("sh", ["-c", "cat issuer.pem root.pem > chain.pem"], { cwd: folder });
  return folder;
}

/** Makes `NAME.key` and `NAME.pem`. */
function sign(folder: string, name: string, issuer: string, extensions: string, words = ["-days", "30"]): void {
  openssl(folder, ...`req ${newKey} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`.split(" "));
  writeFileSync(join(folder, `${name}.ext`), extensions);
  const by = ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`, "-CAcreateserial"];
  openssl(
    folder,
    "x509",
    "-req",
    "-in",
    `${name}.csr`,
    ...by,
    "-extfile",
    `${name}.ext`,
    ...words,
    "-out",
    `${name}.pem`,
  );
}

function openssl(folder: string, ...words: string[]): void {
  execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
}
