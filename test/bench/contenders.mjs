// How each contender is started. All of them serve TLS 1.3 on 127.0.0.1 with the sandbox's certificates.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { javaStores } from "./lib/certificates.mjs";
import { freePort, ServerProcess } from "./lib/processes.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** A contender that cannot run on this machine. */
export class Missing extends Error {}

async function startNode(name, script, certs, settings) {
  const port = await freePort();
  const argument = JSON.stringify({ port, certs, ...settings });
  const server = new ServerProcess(name, process.execPath, [join(here, "contenders", script), argument], port);
  const startTime = await server.firstAnswer(certs.ca);
  return Object.assign(server, { startTime });
}

/** @param answer path, headers and body of the only answer */
export const startFloor = (certs, answer) => startNode("floor", "floor.mjs", certs, { answer });
export const startHono = (certs, answer, { plain = false } = {}) =>
  startNode("bare Hono", "hono.mjs", certs, { answer, plain });
export const startOidcProvider = (certs, { jwt }) =>
  startNode(jwt ? "oidc-provider, ES256" : "oidc-provider, opaque", "oidc-provider.mjs", certs, { jwt });

export const startHonoHttp2 = (certs, answer) => startNode("bare Hono on http2", "hono-http2.mjs", certs, { answer });

/** The sandbox as it is shipped, with default settings unless others are given. */
export async function startSandbox(cli, certs, { name = "sandbox", config, flags = [] } = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const args = ["start", "--certs", certs.folder, "--port", port, "--admin-port", adminPort, ...flags].map(String);
  // Without its own file it would read the sandbox.yaml in the folder where the bench is started.
  const file = config ?? join(certs.folder, "..", "empty.yaml");
  if (config === undefined) writeFileSync(file, "{}\n");
  const server = new ServerProcess(name, process.execPath, [cli, ...args, "--config", file], port);
  const startTime = await server.firstAnswer(certs.ca);
  return Object.assign(server, {
    startTime,
    admin: (method, path, body) => admin(adminPort, method, path, body),
    send: (request) => send(port, certs, request),
    sendAs: (files, request) => send(port, files, request),
    token: async () => {
      const body = "grant_type=client_credentials&client_id=demo&scope=read";
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const { json } = await send(port, certs, { method: "POST", path: "/oauth/v2/oauth-token", headers, body });
      return json().access_token;
    },
  });
}

/**
 * A Redis that writes nothing to disk, for sandboxes that share their state.
 * @throws Missing
 */
export async function startRedis(folder) {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "pipe" });
  } catch (error) {
    throw new Missing(`Sandboxes that share their state were left out: ${error.message.split("\n")[0]}`);
  }
  const port = await freePort();
  const args = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder].map(String);
  const server = new ServerProcess("Redis", "redis-server", args, port);
  await server.listening();
  return Object.assign(server, { url: `redis://127.0.0.1:${port}` });
}

/** Waits until all identities are made. Until then, /health answers 503. */
export async function identitiesReady(sandbox) {
  for (let attempt = 0; attempt < 6000; attempt++) {
    const ready = await sandbox.admin("GET", "/health").then(
      () => true,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The identities are not made: ${sandbox.output}`);
}

/** @param answers its static stubs: path, headers and body, and a method other than GET */
export async function startWireMock(certs, folder, ...answers) {
  const jars = fileURLToPath(new URL("node_modules/wiremock/build/", import.meta.url));
  for (const [program, flag] of [
    ["java", "-version"],
    ["keytool", "-help"],
    ["openssl", "version"],
  ]) {
    try {
      execFileSync(program, [flag], { stdio: "pipe" });
    } catch (error) {
      throw new Missing(`WireMock was left out: ${error.message.split("\n")[0]}`);
    }
  }
  mkdirSync(join(folder, "mappings"), { recursive: true });
  const stores = javaStores(certs, folder);
  const mappings = answers.map(({ method = "GET", path, headers, body }) => ({
    request: { method, urlPath: path },
    response: { status: 200, headers, body },
  }));
  writeFileSync(join(folder, "mappings", "answers.json"), JSON.stringify({ mappings }));
  return startWireMockProcess(certs, folder, jars, stores);
}

/**
 * Journal and request log are off, and answers have a Content-Length, which avoids chunks. Everything else is
 * WireMock's default.
 */
async function startWireMockProcess(certs, folder, jars, { keystore, truststore }) {
  const port = await freePort();
  const jar = join(
    jars,
    readdirSync(jars).find((name) => name.endsWith(".jar")),
  );
  const tls = ["--https-port", port, "--https-keystore", keystore, "--keystore-type", "PKCS12"];
  const trust = ["--https-require-client-cert", "--https-truststore", truststore, "--truststore-type", "PKCS12"];
  const quiet = ["--no-request-journal", "--disable-request-logging", "--disable-banner"];
  const rest = ["--port", await freePort(), "--bind-address", "127.0.0.1", "--root-dir", folder];
  const args = ["-jar", jar, ...tls, ...trust, ...quiet, ...rest, "--use-chunked-encoding", "never"].map(String);
  const server = new ServerProcess("WireMock", "java", args, port);
  const identity = { cert: readFileSync(certs.client.cert), key: readFileSync(certs.client.key) };
  const startTime = await server.firstAnswer(certs.ca, identity);
  return Object.assign(server, {
    startTime,
    restart: () => startWireMockProcess(certs, folder, jars, { keystore, truststore }),
  });
}

/** Mockoon has no setting that requires a client certificate. Its answer has the headers that it adds by itself. */
export async function startMockoon(certs, folder, answer) {
  const { BuildEnvironment, BuildHTTPRoute } = await import("@mockoon/commons");
  const port = await freePort();
  const environment = BuildEnvironment({ hasDefaultHeader: false, hasDefaultRoute: false, port });
  const route = BuildHTTPRoute();
  route.method = "get";
  route.endpoint = answer.path.slice(1);
  Object.assign(route.responses[0], {
    body: answer.body,
    headers: Object.entries(answer.headers).map(([key, value]) => ({ key, value })),
    disableTemplating: true,
  });
  environment.routes = [route];
  environment.rootChildren = [{ type: "route", uuid: route.uuid }];
  environment.tlsOptions = {
    ...environment.tlsOptions,
    enabled: true,
    type: "CERT",
    certPath: certs.server.cert,
    keyPath: certs.server.key,
    caPath: certs.ca,
  };
  const file = join(folder, "mockoon.json");
  writeFileSync(file, JSON.stringify(environment));
  const cli = fileURLToPath(new URL("node_modules/@mockoon/cli/bin/run.js", import.meta.url));
  const args = [cli, "start", "--data", file, "--port", String(port), "--hostname", "127.0.0.1"];
  const quiet = ["--disable-log-to-file", "--disable-admin-api", "--max-transaction-logs", "1"];
  const server = new ServerProcess("Mockoon", process.execPath, [...args, ...quiet], port);
  return Object.assign(server, { startTime: await server.firstAnswer(certs.ca) });
}

function send(port, certs, { method = "GET", path, headers = {}, body }) {
  const identity = {
    ca: readFileSync(certs.ca),
    cert: readFileSync(certs.client.cert),
    key: readFileSync(certs.client.key),
  };
  const target = { host: "127.0.0.1", servername: "localhost", port, method, path, headers, agent: false };
  return exchange(httpsRequest, { ...target, ...identity }, body);
}

async function admin(port, method, path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const target = { host: "127.0.0.1", port, method, path, headers };
  const { json } = await exchange(httpRequest, target, body === undefined ? undefined : JSON.stringify(body));
  return json();
}

/** @throws for anything but a 2xx */
function exchange(request, options, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, async (incoming) => {
      const chunks = await incoming.toArray();
      const text = Buffer.concat(chunks).toString();
      const { statusCode: status, headers, rawHeaders } = incoming;
      if (status >= 300) return reject(new Error(`${options.path} answered ${status}: ${text}`));
      resolve({ status, headers, rawHeaders, text, json: () => (text === "" ? undefined : JSON.parse(text)) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
