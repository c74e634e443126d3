import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { type Caller, sharedSandbox, versions } from "./sandbox.js";

// docs/guide/connect.md says what a client sees with `tls.clientCertificate: require`: an end, and no TLS alert.
const sandbox = sharedSandbox({ yaml: "tls: { clientCertificate: require }" });

async function whatItSees(as: Caller, version: (typeof versions)[number]) {
  const { port, ca } = sandbox();
  const identity = as === "nobody" ? {} : sandbox().identity(as);
  const seen = { handshake: false, bytes: 0, errors: [] as string[] };
  await new Promise<void>((resolve) => {
    const range = { minVersion: version, maxVersion: version };
    const socket = connect({ port, host: "localhost", ca, ...identity, ...range });
    socket.once("secureConnect", () => {
      seen.handshake = true;
      socket.write("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
    socket.on("data", ({ length }: Buffer) => {
      seen.bytes += length;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => seen.errors.push(error.code ?? ""));
    socket.once("close", () => resolve());
  });
  return seen;
}

describe.each(versions)("on %s", (version) => {
  it.each(["nobody", "expired", "untrusted", "wrong-usage"] as const)("%s", async (as) => {
    const { handshake, bytes, errors } = await whatItSees(as, version);
    expect([handshake, bytes]).toEqual([version === "TLSv1.3", 0]);
    // An alert would be an error of OpenSSL: ERR_SSL_…
    for (const code of errors) expect(["ECONNRESET", "EPIPE"]).toContain(code);
  });
});
