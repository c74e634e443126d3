import { once } from "node:events";
import { request } from "node:https";
import { connect, type SecureVersion } from "node:tls";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/index.js";

const versions = { minVersion: "TLSv1.2", maxVersion: "TLSv1.3" } as const;

/** The version that a client with a certificate gets, or the code of its error. */
function versionOf(
  { url, ca }: { readonly url: string; readonly ca: string },
  given: { readonly minVersion: SecureVersion; readonly maxVersion: SecureVersion } = versions,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: "localhost", port: Number(new URL(url).port), ca, ...given }, () => {
      resolve(socket.getProtocol() ?? "");
      socket.destroy();
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
  });
}

describe("a sandbox without TLS 1.3", () => {
  it("speaks TLS 1.2 on every port, says so, and blames no client", async () => {
    await using sandbox = await startSandbox({ tls: { maxVersion: "1.2" } });
    const { wrongHost = "" } = sandbox.defectUrls ?? {};
    expect(await versionOf(sandbox)).toBe("TLSv1.2");
    expect(await versionOf({ url: wrongHost, ca: sandbox.ca })).toMatch(/ALTNAME_INVALID|TLSv1\.2/);
    expect(await versionOf(sandbox, { ...versions, minVersion: "TLSv1.3" })).toMatch(/PROTOCOL_VERSION/);
    const client = await sandbox.createClient();
    const [answer] = await once(request(`${client.url}/v1/ping`, client.tls).end(), "response");
    answer.resume();
    expect(answer.statusCode).toBe(401);
    expect((await sandbox.health()).tls).toEqual({ minVersion: "1.2", maxVersion: "1.2" });
    const report = await sandbox.report();
    const checks = report.drills.flatMap((drill) => drill.checks);
    expect(checks.find(({ id }) => id === "tls.version")?.verdict).toBe("not-exercised");
  });
});
