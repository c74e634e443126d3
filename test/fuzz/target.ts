import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Server } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { Answer } from "./answers.js";
import { type ServerProcess, startPatience } from "./child.js";
import { Client, type IdentityFiles } from "./converse.js";
import { bearer, formType, type Identity, identities, input, ping, request, type Stock, send } from "./input.js";
import type { Outcome } from "./judge.js";
import type { Secrets } from "./secrets.js";

/** A token of five minutes is renewed after this time. */
const tokenAge = 120_000;

/** A server, used by a correct client. */
export class Target {
  readonly client: Client;
  readonly #server: ServerProcess;
  readonly #secrets: Secrets;
  readonly #files: ReadonlyMap<Identity, IdentityFiles>;
  readonly #scenarios: readonly string[];
  readonly #clientHello: Buffer;
  #stock: Stock | undefined;
  #stockedAt = Number.NEGATIVE_INFINITY;

  private constructor(server: ServerProcess, secrets: Secrets, scenarios: readonly string[], clientHello: Buffer) {
    this.#server = server;
    this.#secrets = secrets;
    this.#scenarios = scenarios;
    this.#clientHello = clientHello;
    this.#files = new Map(identities.filter((name) => name !== "none").map((name) => [name, filesOf(server, name)]));
    this.client = new Client(server.ports, readFileSync(join(server.certs, "ca.pem"), "utf8"), this.#files);
    for (const [name, { key }] of this.#files) secrets.addPrivateKey(`the private key of ${name}`, key);
    for (const name of ["ca.key.pem", "server.key.pem", "token-signing.key.pem"]) {
      secrets.addPrivateKey(name, readFileSync(join(server.certs, name), "utf8"));
    }
  }

  /**
   * Waits until a server is ready.
   * @throws Error if it does not become ready
   */
  static async meet(server: ServerProcess, root: string, secrets: Secrets): Promise<Target> {
    await untilReady(server);
    const folder = join(root, "scenarios");
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    const scenarios = names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
    return new Target(server, secrets, scenarios, await captureClientHello());
  }

  /** The stock for inputs. Tokens are renewed before they expire. */
  async stock(): Promise<Stock> {
    if (this.#stock !== undefined && performance.now() - this.#stockedAt < tokenAge) return this.#stock;
    this.#stockedAt = performance.now();
    const [token, otherToken] = [await this.#issue("demo"), await this.#issue("other")];
    if (token === undefined || otherToken === undefined) {
      // The admin API may have moved the clock beyond the certificates' validity. Until that is undone, the old stock
      // is used.
      if (this.#stock !== undefined) return this.#stock;
      throw new Error("The server issued no token.");
    }
    const cursors: string[] = [];
    for (const target of ["/v1/payments?pageSize=5", "/v1/payments?status=PENDING", "/v1/payouts?pageSize=3"]) {
      const { body } = await this.ask(request("GET", target, [bearer(token)]));
      cursors.push(String(JSON.parse(body.toString("utf8")).nextCursor));
    }
    this.#stock = {
      token,
      otherToken,
      cursors,
      privateKey: this.#files.get("demo")?.key ?? "",
      certificate: this.#files.get("unregistered")?.cert ?? "",
      adminToken: this.#server.adminToken,
      clientHello: this.#clientHello,
      scenarios: this.#scenarios,
    };
    return this.#stock;
  }

  async #issue(client: "demo" | "other"): Promise<string | undefined> {
    const form = `grant_type=client_credentials&client_id=${client}&scope=read`;
    const { body } = await this.ask(request("POST", "/oauth/v2/oauth-token", [formType], form), client);
    const token: unknown = JSON.parse(body.toString("utf8")).access_token;
    if (typeof token !== "string") return undefined;
    this.#secrets.addToken(token);
    return token;
  }

  /**
   * A valid request on its own connection.
   * @throws Error if it is not answered
   */
  async ask(bytes: Buffer, identity: Identity = "demo"): Promise<Answer> {
    return answerOf(
      await this.client.converse(input({ title: "a valid request", identity, moves: [send(bytes)], owed: 1 })),
    );
  }

  async admin(method: string, path: string, body?: unknown): Promise<Answer> {
    const json = body === undefined ? "" : JSON.stringify(body);
    const headers = [bearer(this.#server.adminToken), "Content-Type: application/json"];
    const moves = [send(request(method, path, headers, json))];
    const bodiless = method === "HEAD";
    return answerOf(
      await this.client.converse(input({ title: "a valid request", to: "admin", moves, owed: 1, bodiless })),
    );
  }

  /** Remembers a token in an answer to an input as a secret. */
  learnFrom(body: Buffer): void {
    const [, token] = /^\{"access_token":"([^"]+)"/.exec(body.toString("latin1", 0, 2_000)) ?? [];
    if (token !== undefined) this.#secrets.addToken(token);
  }

  async uploadScenario(name: string, text: string): Promise<void> {
    const headers = [bearer(this.#server.adminToken), "Content-Type: application/yaml"];
    const moves = [send(request("PUT", `/scenarios/${name}`, headers, text))];
    answerOf(await this.client.converse(input({ title: "a valid upload", to: "admin", moves, owed: 1 })));
  }

  /**
   * A ping on a new connection, and a request to the admin API.
   * @returns the time of the slower one in milliseconds
   */
  async probe(): Promise<number> {
    const stock = await this.stock();
    const startedAt = performance.now();
    await Promise.all([this.ask(ping(stock)), this.admin("GET", "/health")]);
    return performance.now() - startedAt;
  }

  /** Undoes the changes of inputs on the admin API, and empties the journal. */
  async restore(): Promise<void> {
    await this.admin("DELETE", "/clock");
    await this.admin("DELETE", "/scenario");
    await this.admin("POST", "/reset");
    for (const { clientId } of await this.#items("/clients")) {
      if (clientId !== "demo" && clientId !== "other")
        await this.admin("DELETE", `/clients/${encodeURIComponent(String(clientId))}`);
    }
    for (const { name, origin } of await this.#items("/scenarios")) {
      if (origin === "uploaded") await this.admin("DELETE", `/scenarios/${encodeURIComponent(String(name))}`);
    }
    await this.admin("DELETE", "/requests");
    this.#stockedAt = Number.NEGATIVE_INFINITY;
  }

  async #items(path: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (let next = path; ; ) {
      const { items, nextCursor } = JSON.parse((await this.admin("GET", next)).body.toString("utf8"));
      all.push(...items);
      if (nextCursor === undefined) return all;
      next = `${path}?cursor=${nextCursor}`;
    }
  }

  /** Forbidden content of the journal, one sentence each. */
  async inspectJournal(): Promise<string[]> {
    const problems = new Set<string>();
    let cursor = "";
    const ids: string[] = [];
    do {
      const { body } = await this.admin("GET", `/requests?pageSize=1000${cursor}`);
      const text = body.toString("utf8");
      for (const secret of this.#secrets.findIn(text)) problems.add(`The journal contains ${secret}.`);
      const { items, nextCursor } = JSON.parse(text);
      for (const item of items) {
        ids.push(String(item.id));
        if (item.status === 500 && item.fault === null) {
          problems.add(`The journal contains a 500 of its own: ${item.explanation}`);
        }
        if (item.delivered === null && !mayWait(item))
          problems.add(`An exchange never ended: ${item.method} ${item.target}, ${item.status}, delivered: null.`);
      }
      cursor = typeof nextCursor === "string" ? `&cursor=${encodeURIComponent(nextCursor)}` : "";
    } while (cursor !== "");
    // Details also have headers and forms; a sample of them is enough.
    const step = Math.max(1, Math.floor(ids.length / detailsLookedAt));
    for (let at = 0; at < ids.length; at += step) {
      const { body } = await this.admin("GET", `/requests/${ids[at]}`);
      for (const secret of this.#secrets.findIn(body.toString("utf8")))
        problems.add(`The journal contains ${secret}, in GET /requests/{id}.`);
    }
    const { body } = await this.admin("GET", "/handshakes?pageSize=1000");
    for (const secret of this.#secrets.findIn(body.toString("utf8")))
      problems.add(`The list of handshakes contains ${secret}.`);
    return [...problems];
  }
}

const detailsLookedAt = 200;

function answerOf({ answers, error, end }: Outcome): Answer {
  const [answer] = answers;
  if (answer === undefined) throw new Error(`A good request was not answered (${end}, ${error ?? "no error"}).`);
  return answer;
}

function filesOf(server: ServerProcess, name: Identity): IdentityFiles {
  const folder = join(server.certs, name === "demo" || name === "other" ? "clients" : "misfits", name);
  return { cert: readFileSync(join(folder, "cert.pem"), "utf8"), key: readFileSync(join(folder, "key.pem"), "utf8") };
}

/**
 * Waits for the identities of a new certificates folder, which are made after the ports are open.
 * @throws Error if they are not made
 */
async function untilReady(server: ServerProcess): Promise<void> {
  const deadline = performance.now() + startPatience;
  while (server.ended === undefined && performance.now() < deadline) {
    const { ok } = await fetch(`http://127.0.0.1:${server.ports.admin}/health`);
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server did not become ready (${server.ended}).`);
}

/** The first flight of Node's own client, recorded by a server that does not answer. */
async function captureClientHello(): Promise<Buffer> {
  const server = new Server().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = connectTls({ host: "127.0.0.1", port, servername: "localhost" });
  client.on("error", () => {});
  const [socket] = await once(server, "connection");
  const [hello] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

/**
 * Node's TLS drops the error of a write of its own, such as that of the session tickets after the handshake: the client
 * was reset by then. The next write never ends. Node reads nothing while an answer of more than 16 KiB waits, so nobody
 * notices until the time without activity is over, after five minutes (docs/edge.md).
 */
function mayWait({ httpVersion, size }: { httpVersion?: unknown; size?: unknown }): boolean {
  return httpVersion === "HTTP/1.1" && Number(size) > 16_384;
}
