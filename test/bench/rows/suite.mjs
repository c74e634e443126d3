// From nothing to a green suite: what a developer waits for. A server starts, in an empty folder of certificates, and
// 100 tests run against it, eight at a time. Each test has a token, three pings and four pages, on a connection of its
// own. All certificates are P-256, as those of `payments-sandbox run` are, and WireMock has the same ones.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { identitiesReady, Missing, startSandbox, startWireMock } from "../contenders.mjs";
import { certificateFiles } from "../lib/certificates.mjs";
import { interleave, spread } from "../lib/measure.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

const keyType = ["--key-type", "ec"];
const tests = 100;
const atOnce = 8;
const pings = 3;
const pages = 4;
const tokenPath = "/oauth/v2/oauth-token";
const listPath = "/v1/payments";

export async function suite(bench) {
  const { folder, cli, against } = bench;
  const certs = await ellipticCertificates(cli, join(folder, "suite-certs"));
  const demo = { clientId: "demo", cert: readFileSync(certs.client.cert), key: readFileSync(certs.client.key) };
  const stubs = await recordStubs(cli, certs);

  /** @param identityOf the client of a test; a new one for each test, or the same for all */
  const onSandbox = (name, build, identityOf) => ({
    name,
    async shot() {
      const fresh = mkdtempSync(join(folder, "suite-"));
      const files = certificateFiles(join(fresh, "certs"));
      const startedAt = performance.now();
      const server = await startSandbox(build, files, { flags: keyType });
      try {
        const ca = readFileSync(files.ca);
        await runSuite(server.port, ca, () => identityOf(server, files));
        return shotOf(server, startedAt);
      } finally {
        // Otherwise its identities would still be made while the next contender starts.
        await identitiesReady(server);
        await server.stop();
        rmSync(fresh, { recursive: true, force: true });
      }
    },
  });
  const minted = async (server) => {
    const { clientId, certificate: cert, key } = await server.admin("POST", "/clients", {});
    return { clientId, cert, key };
  };
  const given = async (server, files) => {
    await identitiesReady(server);
    return { clientId: "demo", cert: readFileSync(files.client.cert), key: readFileSync(files.client.key) };
  };
  const ofEachTest = "sandbox, a client for each test";
  const ofAll = "sandbox, one client for all";
  const contenders = [onSandbox(ofEachTest, cli, minted), onSandbox(ofAll, cli, given)];
  if (against) contenders.push(onSandbox("other build, a client for each test", against, minted));
  try {
    const first = await startWireMock(certs, folder, ...stubs);
    await first.stop();
    contenders.push({
      name: "WireMock, static stubs",
      async shot() {
        const startedAt = performance.now();
        const server = await first.restart();
        try {
          await runSuite(server.port, readFileSync(certs.ca), async () => demo);
          return shotOf(server, startedAt);
        } finally {
          await server.stop();
        }
      },
    });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    bench.notes.push(error.message);
  }
  const figures = await interleave(contenders, { rounds: bench.quick ? 3 : 11, milliseconds: 0, warmUp: 0 });
  for (const [name, shots] of Object.entries(figures)) {
    const times = shots.map(({ milliseconds }) => milliseconds);
    bench.figures.push({ group: `suite of ${tests} tests, from nothing`, name, unit: "ms", ...spread(times) });
  }
  const peer = figures["WireMock, static stubs"];
  bench.compare("suite: sandbox, a client for each test / WireMock", figures[ofEachTest], peer, { least: 3 });
  bench.compare("suite: sandbox, one client for all / WireMock", figures[ofAll], peer, { least: 3 });
  const other = figures["other build, a client for each test"];
  bench.compare("suite: sandbox / other build", figures[ofEachTest], other);
}

/** The certificates of a folder that a sandbox made. */
async function ellipticCertificates(cli, certsFolder) {
  const files = certificateFiles(certsFolder);
  const maker = await startSandbox(cli, files, { flags: keyType });
  await identitiesReady(maker);
  await maker.stop();
  return files;
}

/** How fast a suite was, by the time that it took and by the CPU time of the server. */
function shotOf(server, startedAt) {
  const milliseconds = performance.now() - startedAt;
  return { milliseconds, rate: tests / milliseconds, perCpu: tests / server.cpuTime() };
}

/** The answers that the sandbox gives in such a test, as static stubs. */
async function recordStubs(cli, certs) {
  const sandbox = await startSandbox(cli, certs, { flags: keyType });
  try {
    await identitiesReady(sandbox);
    const token = JSON.stringify({
      access_token: await sandbox.token(),
      token_type: "bearer",
      expires_in: 300,
      scope: "read",
    });
    const headers = { "Content-Type": "application/json" };
    return [
      await recordAnswer(sandbox, "/v1/ping"),
      await recordAnswer(sandbox, listPath),
      { method: "POST", path: tokenPath, headers, body: token },
    ];
  } finally {
    await sandbox.stop();
  }
}

/**
 * Runs the tests, some at a time.
 * @throws if one is not green
 */
async function runSuite(port, ca, identityOf) {
  let next = 0;
  const worker = async () => {
    while (next++ < tests) await runTest(port, ca, await identityOf());
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function runTest(port, ca, { clientId, cert, key }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, cert, key });
  const call = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const target = { host: "127.0.0.1", servername: "localhost", port, agent, method, path, headers };
      const outgoing = request(target, async (incoming) => {
        const text = Buffer.concat(await incoming.toArray()).toString();
        if (incoming.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path} answered ${incoming.statusCode}: ${text}`));
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  try {
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, scope: "read" });
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const { access_token: token } = await call("POST", tokenPath, type, form.toString());
    const headers = { Authorization: `Bearer ${token}` };
    for (let ping = 0; ping < pings; ping++) await call("GET", "/v1/ping", headers);
    let cursor;
    for (let page = 0; page < pages; page++) {
      const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
      const { nextCursor } = await call("GET", listPath + query, headers);
      if (typeof nextCursor !== "string") throw new Error("The page has no cursor.");
      cursor = nextCursor;
    }
  } finally {
    agent.destroy();
  }
}
