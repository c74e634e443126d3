import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { version } from "../../base/files/version.js";
import { second } from "../../base/text/duration.js";
import type { Answer, Identity, ProbeRequest, Reply } from "../../imitate/calibrate/answer.js";
import type { Transport } from "../../imitate/calibrate/runner.js";
import { basePathOf, placeOf } from "../../library/base-url.js";
import type { TlsIdentity } from "../../library/client-handle.js";
import { ExchangeError, exchange } from "../../library/http-exchange.js";
import { indexHeaders } from "../../sandbox/connection/raw-headers.js";

/** A certificate with its key, PEM. */
export type KeyPair = Omit<TlsIdentity, "ca">;

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

const limits = {
  timeoutMs: 20 * second,
  /** More than any page of 100 items. */
  longest: 4 * 1024 * 1024,
};

/**
 * Sends requests over one connection at a time, with full verification of the server. A connection with another
 * certificate, or without one, replaces the connection before.
 */
export class HttpsTransport implements Transport {
  #agent: { readonly of: Identity; readonly agent: Agent } | undefined;

  constructor(private readonly service: Service) {}

  send(request: ProbeRequest): Promise<Reply> {
    return reply(this.service.url, request, this.#agentOf(request.identity));
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

/** What is said of an exchange without an answer, whose connection did not break. */
const failures = { "too-late": "ETIMEDOUT", upgraded: "101 Switching Protocols" } as const;

async function reply(url: URL, request: ProbeRequest, agent: Agent): Promise<Reply> {
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
  try {
    const { head, body } = await exchange(outgoing, request.body, limits);
    return body === undefined ? { failure: "answer too long" } : { answer: answerOf(head, body) };
  } catch (error) {
    const { code = "broken connection" } = error as NodeJS.ErrnoException;
    const failure = error instanceof ExchangeError ? failures[error.kind] : code;
    return { failure, stale: outgoing.reusedSocket && (failure === "ECONNRESET" || failure === "EPIPE") };
  }
}

function answerOf({ statusCode: status = 0, rawHeaders }: IncomingMessage, body: Buffer): Answer {
  const headers = new Map([...indexHeaders(rawHeaders)].map(([name, values]) => [name, values.join(", ")]));
  return { status, headers, names: rawHeaders.filter((_, place) => place % 2 === 0), text: body.toString() };
}
