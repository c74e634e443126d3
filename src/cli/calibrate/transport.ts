import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { version } from "../../base/files/version.js";
import { second } from "../../base/text/duration.js";
import type { Answer, Identity, ProbeRequest, Reply } from "../../imitate/calibrate/answer.js";
import type { Transport } from "../../imitate/calibrate/runner.js";
import { basePathOf, placeOf } from "../../library/base-url.js";
import { readBody } from "../../sandbox/connection/bounded-body.js";
import { indexHeaders } from "../../sandbox/connection/raw-headers.js";

/** A certificate with its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The address of the service, and the certificates to use. */
export interface Service {
  /** Base URL; its path is the prefix of every path. */
  readonly url: URL;
  /** The CA to trust, PEM; those of Node when undefined. */
  readonly ca: string | undefined;
  readonly client: KeyPair;
  readonly other: KeyPair | undefined;
}

/** The header `User-Agent` (RFC 9110 §10.1.5), for the logs of the service. */
const userAgent = `payments-sandbox-calibrate/${version}`;

/** How long an answer may take, in milliseconds. */
const timeoutMs = 20 * second;

/** Most of an answer that is read, in bytes: more than any page of 100 items. */
const longestAnswer = 4 * 1024 * 1024;

/**
 * Sends requests over one connection at a time, with full verification of the server. A connection with another
 * certificate, or without one, replaces the connection before.
 */
export class HttpsTransport implements Transport {
  #agent: { readonly of: Identity; readonly agent: Agent } | undefined;

  constructor(private readonly service: Service) {}

  send(request: ProbeRequest): Promise<Reply> {
    return exchange(this.service.url, request, this.#agentOf(request.identity));
  }

  /** Closes the connection. */
  close(): void {
    this.#agent?.agent.destroy();
    this.#agent = undefined;
  }

  #agentOf(identity: Identity): Agent {
    if (this.#agent?.of === identity) return this.#agent.agent;
    this.close();
    const { ca, client, other } = this.service;
    const pair = identity === "client" ? client : identity === "other" ? other : undefined;
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 1,
      // A resumed session would have the certificate of the connection before.
      maxCachedSessions: 0,
      ...(ca !== undefined && { ca }),
      ...pair,
    });
    this.#agent = { of: identity, agent };
    return agent;
  }
}

function exchange(url: URL, request: ProbeRequest, agent: Agent): Promise<Reply> {
  return new Promise((resolve) => {
    const outgoing = httpsRequest({
      ...placeOf(url),
      path: basePathOf(url) + request.path,
      method: request.method,
      headers: {
        "User-Agent": userAgent,
        ...request.headers,
        ...(request.body !== undefined && { "Content-Length": String(Buffer.byteLength(request.body)) }),
      },
      agent,
    });
    const fail = (failure: string) =>
      resolve({ failure, stale: outgoing.reusedSocket && (failure === "ECONNRESET" || failure === "EPIPE") });
    // The limit is for the whole exchange: a server that sends single bytes would restart an idle timer again and
    // again.
    const timer = setTimeout(() => {
      fail("ETIMEDOUT");
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? "broken connection"));
    outgoing.on("upgrade", (_incoming, socket) => {
      fail("101 Switching Protocols");
      socket.destroy();
    });
    outgoing.on("response", (incoming) => {
      read(incoming).then(
        (answer) => resolve(answer === undefined ? { failure: "answer too long" } : { answer }),
        (error: NodeJS.ErrnoException) => fail(error.code ?? "broken connection"),
      );
    });
    outgoing.end(request.body);
  });
}

/** Reads an answer; undefined if it is too long. */
async function read(incoming: IncomingMessage): Promise<Answer | undefined> {
  const body = await readBody(incoming, longestAnswer);
  if (body === undefined) return undefined;
  const { statusCode: status = 0, rawHeaders } = incoming;
  const headers = new Map([...indexHeaders(rawHeaders)].map(([name, values]) => [name, values.join(", ")]));
  return { status, headers, names: rawHeaders.filter((_, place) => place % 2 === 0), text: body.toString() };
}
