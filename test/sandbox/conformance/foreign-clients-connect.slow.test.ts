import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadAuthority } from "../../../src/sandbox/pki/authority.js";
import { issueServer } from "../../../src/sandbox/pki/issue.js";
import { generateKeys, privateKeyPem } from "../../../src/sandbox/pki/keys.js";
import { programPatience } from "../../support/patience.js";
import { openSandbox, type RunningSandbox } from "./sandbox.js";
import { tlsClients } from "./tls-clients/table.js";

// Runtimes and libraries other than Node.js, if they are there. The others are reported as skipped.
const execute = promisify(execFile);
const good = '{"status":"OK"}';

let folder: string;
let sandbox: RunningSandbox;
let strict: RunningSandbox;
/** Its certificate comes from the sandbox's CA, and has a name for which that CA may not issue. */
let outside: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tls-clients-"));
  // A name of one label excludes the names below it, and not every library reads this in the same way.
  const hostnames = ["app", "10.1.2.3"];
  sandbox = await openSandbox({ settings: { hostnames } });
  strict = await openSandbox({ settings: { hostnames, nameConstraints: "strict" } });
  outside = await serverFor(sandbox, ["localhost", "127.0.0.1", "www.bank.example"]);
});
afterAll(async () => {
  await Promise.all([sandbox.close(), strict.close()]);
  outside.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serverFor({ certs }: RunningSandbox, hostnames: string[]): Promise<Server> {
  const [certPem, keyPem] = ["ca.pem", "ca.key.pem"].map((name) => readFileSync(join(certs, name), "utf8"));
  const keys = await generateKeys("ec");
  const cert = issueServer(loadAuthority({ certPem: certPem ?? "", keyPem }), keys, hostnames, Date.now());
  const server = createServer({ cert, key: privateKeyPem(keys.privateKey) }, (_request, response) => {
    response.end(good);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe.each(tlsClients)("$name", ({ needs, source, compile, command, input, ...expected }) => {
  let missing: string | undefined;
  let program = "";
  let path = process.env["PATH"] ?? "";

  beforeAll(async () => {
    const at = source && fileURLToPath(new URL(`tls-clients/${source}`, import.meta.url));
    program = at ?? "";
    if ("npm" in needs) {
      const prefix = mkdtempSync(join(folder, `${needs.program}-`));
      const version = `${needs.npm}@${expected.tried}`;
      const flags = ["--prefix", prefix, "--no-audit", "--no-fund", "--no-save", "--loglevel", "error"];
      const installed = spawnSync("npm", ["install", ...flags, version], { timeout: programPatience });
      path = `${join(prefix, "node_modules", ".bin")}${delimiter}${path}`;
      if (installed.status !== 0) missing = `${version} cannot be installed from npm`;
    } else if (spawnSync("sh", ["-c", `command -v ${needs.program}`]).status !== 0) {
      missing = `${needs.program} is not there (Debian: ${needs.debian})`;
    }
    if (missing === undefined && compile && at) {
      program = join(folder, needs.program);
      const [compiler = "", ...rest] = compile(at, program);
      const { status, stderr } = spawnSync(compiler, rest, { encoding: "utf8", timeout: programPatience });
      if (status !== 0)
        missing = `${source} cannot be compiled (Debian: ${"debian" in needs ? needs.debian : ""}): ${stderr}`;
    }
  }, programPatience);

  /** What it prints; undefined if it refuses the server. */
  async function answerOf(origin: string, { certs }: RunningSandbox, token: string): Promise<string | undefined> {
    const ping = { url: new URL(origin), token, certs, program };
    const [name = "", ...parameters] = command(ping);
    const env = {
      ...process.env,
      PATH: path,
      DENO_NO_UPDATE_CHECK: "1",
      DENO_DIR: folder,
      NO_PROXY: "*",
      no_proxy: "*",
    };
    const running = execute(name, parameters, { env, timeout: programPatience });
    if (input) running.child.stdin?.write(input(ping));
    else running.child.stdin?.end();
    try {
      return (await running).stdout.trim();
    } catch (error) {
      const { code, stderr, killed } = error as { code: unknown; stderr: string; killed: boolean };
      if (typeof code !== "number" || killed) throw error;
      expect(stderr).not.toBe("");
      return undefined;
    }
  }

  it("connects to localhost", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    expect(await answerOf(`https://localhost:${sandbox.port}`, sandbox, await sandbox.token())).toContain(good);
  });

  it(`${expected.byAddress ? "connects" : "does not connect"} to 127.0.0.1`, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const answer = await answerOf(`https://127.0.0.1:${sandbox.port}`, sandbox, await sandbox.token());
    if (expected.byAddress) expect(answer).toContain(good);
    else expect(answer).toBeUndefined();
  });

  it(`${expected.acceptsStrict ? "accepts" : "refuses"} a CA of the form strict`, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const answer = await answerOf(`https://localhost:${strict.port}`, strict, await strict.token());
    if (expected.acceptsStrict) expect(answer).toContain(good);
    else expect(answer).toBeUndefined();
  });

  it(`${expected.enforcesNames ? "refuses" : "accepts"} a name that the CA may not issue for`, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const { port } = outside.address() as AddressInfo;
    const answer = await answerOf(`https://localhost:${port}`, sandbox, "any");
    if (expected.enforcesNames) expect(answer).toBeUndefined();
    else expect(answer).toContain(good);
  });
});
