import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SandboxError, type StartOptions, startSandbox } from "../../src/index.js";
import { issueCertificate } from "../support/certificates.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "library-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The error of a start that fails. */
async function refusal(options: unknown): Promise<SandboxError> {
  const error = await startSandbox(options as StartOptions).then(
    async (sandbox) => {
      await sandbox.close();
      return undefined;
    },
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(SandboxError);
  return error;
}

describe("options", () => {
  it("configure everything that sandbox.yaml can configure", async () => {
    const own = issueCertificate({ commonName: "own" });
    const pem = join(folder, "own-2.pem");
    writeFileSync(pem, issueCertificate({ commonName: "own 2" }).cert);
    await using sandbox = await startSandbox({
      scenario: "example-error",
      seed: "42",
      clients: [{ clientId: "bank", certificates: [own.cert, pem], scopes: ["read", "write"] }],
      lists: {
        invoices: { path: "/v2/invoices", items: [{ id: 1 }, { id: 2 }], dateField: null, filters: {} },
        payments: { count: 3, spacing: "1h" },
      },
      assumptions: {
        "token.lifetime": 60,
        "ping.response": { body: { pong: true } },
        "bearer.missing-token": { status: 403 },
        "token.format": { issuer: "https://bank.test" },
      },
      assumedHeader: false,
      journal: { requests: 2 },
    });
    expect(sandbox.seed).toBe("42");
    expect(await sandbox.scenario()).toMatchObject({ name: "example-error", source: "all" });
    await sandbox.clearScenario();

    const bank = await sandbox.client("bank");
    expect(bank.scopes).toEqual(["read", "write"]);
    expect((await bank.info()).certificates).toHaveLength(2);

    const client = await sandbox.createClient();
    const answer = await client.request("/v1/ping");
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty("sandbox-assumed");
    const token = await client.token();
    expect((await client.request("/v1/ping", { token })).json()).toEqual({ pong: true });
    expect((await client.request("/v2/invoices", { token })).json()).toEqual({ items: [{ id: 1 }, { id: 2 }] });
    const payments = await client.request("/v1/payments", { token });
    expect(payments.json<{ items: unknown[] }>().items).toHaveLength(3);
    await client.clock.advance("61s");
    expect((await client.request("/v1/ping", { token })).status).toBe(401);
    expect(await sandbox.requests()).toHaveLength(2);
  });

  it("can be based on a file, and take precedence over it", async () => {
    const config = join(folder, "sandbox.yaml");
    mkdirSync(join(folder, "own"));
    writeFileSync(join(folder, "own", "mine.yaml"), "description: Mine.\nrules: [{ then: { delay: 1ms } }]\n");
    writeFileSync(join(folder, "own", "broken.yaml"), "rules: 3\n");
    writeFileSync(
      config,
      "seed: file\nscenarios: own\nscenario: mine\nassumptions: { token.lifetime: 60, ping.response: { body: 1 } }\nlists: { payments: { count: 1 } }\n",
    );
    await using sandbox = await startSandbox({ config, seed: "option", assumptions: { "token.lifetime": 90 } });
    expect(sandbox.seed).toBe("option");
    expect(await sandbox.scenario()).toMatchObject({ name: "mine" });
    const settings = new Map((await sandbox.assumptions()).map(({ id, setting }) => [id, setting]));
    expect(settings.get("token.lifetime")).toBe(90);
    expect(settings.get("ping.response")).toMatchObject({ body: 1 });
    // Reported here instead of on the console.
    const broken = (await sandbox.scenarios()).find(({ name }) => name === "broken");
    expect(broken?.problems[0]).toContain("broken.yaml:1:");
  });

  it("keep the certificates in a folder if one is given", async () => {
    const certs = join(folder, "certs");
    await using first = await startSandbox({ certs, keyType: "ec" });
    await first.close();
    expect(readdirSync(join(certs, "clients")).sort()).toEqual(["chained", "demo", "other"]);
    expect(readFileSync(join(certs, "clients/demo/client.env"), "utf8")).toContain(`SANDBOX_URL=${first.url}\n`);
    await using second = await startSandbox({ certs });
    expect(second.ca).toBe(first.ca);
  });

  it("can require client certificates in the handshake", async () => {
    await using sandbox = await startSandbox({ tls: { clientCertificate: "require" } });
    const client = await sandbox.createClient();
    expect(await client.token()).toMatch(/^ey/);
  });
});

describe("a start", () => {
  it("touches no folder and reads no environment by default", async () => {
    const before = { cwd: process.cwd(), port: process.env["SANDBOX_PORT"] };
    process.chdir(folder);
    process.env["SANDBOX_PORT"] = "no number";
    writeFileSync("sandbox.yaml", "port: nonsense\n");
    mkdirSync("scenarios");
    writeFileSync("scenarios/local.yaml", "description: Local.\nrules: [{ then: { delay: 1ms } }]\n");
    try {
      await using sandbox = await startSandbox();
      expect((await sandbox.scenarios()).map(({ name }) => name)).not.toContain("local");
      expect(readdirSync(".").sort()).toEqual(["sandbox.yaml", "scenarios"]);
      expect(existsSync("certs")).toBe(false);
    } finally {
      process.chdir(before.cwd);
      if (before.port === undefined) delete process.env["SANDBOX_PORT"];
      else process.env["SANDBOX_PORT"] = before.port;
    }
  });

  it.each<[string, unknown, RegExp]>([
    ["an unknown option", { potr: 1 }, /Unknown key "potr".*port/],
    ["a missing file", { config: "no/such/file.yaml" }, /no\/such\/file\.yaml.*There is no such file/],
    ["a file that is not a text", { config: 3 }, /config: give the path/],
    [
      "a client's missing file",
      { clients: [{ clientId: "a", certificates: ["no.pem"] }] },
      /clients\[0\]\.certificates\[0\]: There is no file/,
    ],
  ])("refuses %s", async (_what, options, message) => {
    const error = await refusal(options);
    expect(error.code).toBe("INVALID_OPTION");
    expect(error.message).toMatch(/^startSandbox: /);
    expect(error.message).toMatch(message);
  });

  it("does not repeat a private key that was given for a certificate", async () => {
    const { key } = issueCertificate({ commonName: "secret" });
    const { message } = await refusal({ clients: [{ clientId: "a", certificates: [key] }] });
    expect(message).toContain("the text holds no certificate");
    expect(message).not.toContain(key.split("\n")[1]);
  });

  it("refuses a port in use, and a folder that is not the sandbox's", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    expect(await refusal({ port })).toMatchObject({
      code: "CANNOT_LISTEN",
      message: expect.stringContaining(`${port}`),
    });
    await new Promise((resolve) => taken.close(resolve));

    writeFileSync(join(folder, "ca.pem"), "nonsense");
    expect(await refusal({ certs: folder })).toMatchObject({ code: "CERTIFICATES_UNUSABLE" });
  });
});
