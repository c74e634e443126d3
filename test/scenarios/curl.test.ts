import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

const sandbox = sharedSandbox();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "curl-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface CurlResult {
  /** curl's exit status: 52 for an empty answer, 56 for a failed receive, 18 for a body that is cut short, 28 for a time-out. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs curl as a client, with verification on. */
async function curl(client: OutsideClient, ...args: string[]): Promise<CurlResult> {
  const { ca, certificate, key, url } = client.material;
  const file = (name: string, text: string) => {
    const path = join(folder, `${client.id}-${name}`);
    writeFileSync(path, text);
    return path;
  };
  const identity = [
    "--cacert",
    file("ca.pem", ca),
    "--cert",
    file("cert.pem", certificate),
    "--key",
    file("key.pem", key),
  ];
  const token = ["-H", `Authorization: Bearer ${await client.token()}`];
  const targets = args.map((argument) => (argument.startsWith("/") ? url + argument : argument));
  return new Promise((resolve) => {
    execFile("curl", ["-sS", ...identity, ...token, ...targets], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const scenario = (name: string) => ["-H", `Sandbox-Scenario: ${name}`];

describe.skipIf(!hasCurl)("curl", () => {
  it.each([
    ["connection-reset", 56, /Connection reset by peer/],
    ["connection-closed", 52, /Empty reply from server/],
    ["truncated-body", 56, /Connection reset by peer|transfer closed/],
    ["garbage", 1, /HTTP\/0\.9/],
  ])("sees %s as exit status %i", async (name, status, message) => {
    const client = await sandbox().client();
    const result = await curl(client, ...scenario(name), "/v1/payments");
    expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
    expect((await curl(client, ...scenario(name), "/v1/payments")).status).toBe(0);
  });

  it("gets half of the body of truncated-body", async () => {
    const client = await sandbox().client();
    const { stdout } = await curl(client, ...scenario("truncated-body"), "-i", "/v1/payments");
    const [head = "", body = ""] = stdout.split("\r\n\r\n");
    expect(body).toHaveLength(Math.floor(Number(/content-length: (\d+)/i.exec(head)?.[1]) / 2));
  });

  it("gives up on hang after its own time-out", async () => {
    const client = await sandbox().client();
    expect((await curl(client, ...scenario("hang"), "--max-time", "3", "/v1/ping")).status).toBe(28);
    expect((await curl(client, ...scenario("hang"), "/v1/ping")).stdout).toBe('{"status":"OK"}');
  });

  it("measures a delay that is no shorter than the announced one", async () => {
    await sandbox().upload("half-a-second", "  - { then: { delay: 500ms } }");
    const client = await sandbox().client();
    const times = "%{time_pretransfer} %{time_starttransfer}";
    const { stdout } = await curl(client, ...scenario("half-a-second"), "-o", "/dev/null", "-w", times, "/v1/ping");
    const [sent = 0, first = 0] = stdout.split(" ").map(Number);
    expect(first - sent).toBeGreaterThan(0.49);
  });

  it("silently repeats a request that got no byte on a connection which was used before", async () => {
    await sandbox().upload(
      "second",
      "  - { when: { operation: ping }, skip: 1, limit: 1, then: { connection: reset } }",
    );
    const client = await sandbox().client();
    const { status, stdout } = await curl(client, ...scenario("second"), "/v1/ping", "/v1/ping");
    expect([status, stdout]).toEqual([0, '{"status":"OK"}{"status":"OK"}']);
    const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&operation=ping`)) as {
      items: { status: number }[];
    };
    expect(items.map((item) => item.status)).toEqual([200, 0, 200]);
  });

  it("shows which names are near to an unknown one", async () => {
    const client = await sandbox().client();
    const { stdout } = await curl(client, ...scenario("maintenence"), "/v1/ping");
    expect(JSON.parse(stdout)).toEqual({
      message: 'There is no scenario "maintenence"; near are: maintenance.',
      code: "UNKNOWN_SCENARIO",
    });
  });
});
