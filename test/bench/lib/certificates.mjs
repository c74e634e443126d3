import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder that the sandbox made, by their use. */
export function certificateFiles(folder, client = "demo") {
  const identity = join(folder, "clients", client);
  return {
    folder,
    ca: join(folder, "ca.pem"),
    server: { cert: join(folder, "server.pem"), key: join(folder, "server.key.pem") },
    client: { ca: join(folder, "ca.pem"), cert: join(identity, "cert.pem"), key: join(identity, "key.pem") },
  };
}

/**
 * The same certificates in the two forms that Java reads.
 * @throws where openssl or keytool is missing
 */
export function javaStores(certs, folder) {
  const keystore = join(folder, "server.p12");
  const truststore = join(folder, "trust.p12");
  const quiet = { stdio: "pipe" };
  // keytool adds to an existing file.
  rmSync(truststore, { force: true });
  execFileSync(
    "openssl",
    [
      "pkcs12",
      "-export",
      "-in",
      certs.server.cert,
      "-inkey",
      certs.server.key,
      "-out",
      keystore,
      "-passout",
      "pass:password",
    ],
    quiet,
  );
  execFileSync(
    "keytool",
    [
      "-importcert",
      "-noprompt",
      "-alias",
      "ca",
      "-file",
      certs.ca,
      "-keystore",
      truststore,
      "-storetype",
      "PKCS12",
      "-storepass",
      "password",
    ],
    quiet,
  );
  return { keystore, truststore };
}
