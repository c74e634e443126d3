import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { goodForm, sharedSandbox } from "./sandbox.js";

// Clients other than Node's, if they are installed on this machine. The others are reported as skipped.
const sandbox = sharedSandbox();
const run = promisify(execFile);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const missing = {
  curl: !has("curl", "--version"),
  openssl: !has("openssl", "version"),
};

const at = (name: string) => join(sandbox().certs, name);

describe.skipIf(missing.curl)("curl", () => {
  const identities: Readonly<Record<string, () => string[]>> = {
    PEM: () => ["--cert", at("clients/demo/cert.pem"), "--key", at("clients/demo/key.pem")],
    "PKCS#12": () => ["--cert-type", "P12", "--cert", `${at("clients/demo/client.p12")}:sandbox`],
  };

  it.each(
    Object.keys(identities).flatMap((kind) => [
      [kind, "1.2"],
      [kind, "1.3"],
    ]),
  )("with %s on TLS %s: token, ping, list, error", async (kind, version) => {
    const common = [
      "-sS",
      "--cacert",
      at("ca.pem"),
      ...(identities[kind]?.() ?? []),
      `--tlsv${version}`,
      "--tls-max",
      version ?? "",
    ];
    const curl = async (path: string, ...args: string[]) =>
      (await run("curl", [...common, ...args, `${sandbox().url}${path}`])).stdout;
    const { access_token: token } = JSON.parse(await curl("/oauth/v2/oauth-token", "-d", goodForm()));
    const bearer = ["-H", `Authorization: Bearer ${token}`];
    expect(await curl("/v1/ping", ...bearer)).toBe('{"status":"OK"}');
    expect(JSON.parse(await curl("/v1/payments?pageSize=3", ...bearer)).items).toHaveLength(3);
    expect(JSON.parse(await curl("/v1/ping?produceError=true", ...bearer)).code).toBe("EXAMPLE_ERROR");
  });

  it("gets the reason without a certificate, and does not connect without the sandbox's CA", async () => {
    const { stdout } = await run("curl", [
      "-sS",
      "--cacert",
      at("ca.pem"),
      "-d",
      goodForm(),
      `${sandbox().url}/oauth/v2/oauth-token`,
    ]);
    expect(JSON.parse(stdout).code).toBe("INVALID_CLIENT");
    await expect(run("curl", ["-sS", `${sandbox().url}/v1/ping`])).rejects.toThrow(/certificate/);
  });
});

it.skipIf(missing.openssl)("openssl s_client verifies the chain, and its session cannot be resumed", async () => {
  const args = [
    "-connect",
    `localhost:${sandbox().port}`,
    "-CAfile",
    at("ca.pem"),
    "-verify_return_error",
    "-x509_strict",
  ];
  const identity = ["-cert", at("clients/demo/cert.pem"), "-key", at("clients/demo/key.pem")];
  for (const version of ["-tls1_2", "-tls1_3"]) {
    const client = run("openssl", [
      "s_client",
      ...args,
      ...identity,
      version,
      "-reconnect",
      "-servername",
      "localhost",
    ]);
    client.child.stdin?.end("Q\n");
    const { stdout } = await client;
    expect(stdout).toContain("Verify return code: 0 (ok)");
    expect(stdout).toMatch(/New, TLSv1\.[23]/);
    expect(stdout).not.toContain("Reused,");
  }
});
