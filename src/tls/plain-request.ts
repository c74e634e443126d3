import type { IncomingMessage, ServerResponse } from "node:http";
import { standIn } from "../stand-in.js";
import type { OpenConnection } from "./connection.js";

/** A path and a query that no URL parser would write in another way, once they are known to have no dot segments. */
const plainTarget = /^\/[!$&-;=@-[\]_a-z~]*(?:\?[!$&(-;=?-[\]_a-z~%]*)?$/;

/** The last URL of a connection that was plain. */
export interface PlainUrl {
  readonly host: string;
  readonly target: string;
  readonly url: string;
}

/**
 * The URL of a GET that has no body, and whose host and target need no more than to be put together; undefined for any other, which
 * is left to the adapter. Clients repeat theirs: comparing is cheaper than checking, so the connection remembers the last one, and a
 * request with the same target gets the same text of it.
 */
export function plainUrlOf(incoming: IncomingMessage, connection: OpenConnection): string | undefined {
  const { method, headers, url: target } = incoming;
  if (method !== "GET") return undefined;
  const { host } = headers;
  if (host === undefined || target === undefined) return undefined;
  const last = connection.plainUrl;
  if (last?.host === host && last.target === target) {
    // The journal keeps it: once, and not with each of ten thousand requests.
    incoming.url = last.target;
    return last.url;
  }
  if (!plainTarget.test(target) || target.includes("/.")) return undefined;
  if (last?.host !== host && !isPlainHost(host)) return undefined;
  const url = `https://${host}${target}`;
  connection.plainUrl = { host, target, url };
  return url;
}

/** Whether a URL parser would write a host as it is. */
function isPlainHost(host: string): boolean {
  const url = `https://${host}/`;
  return URL.canParse(url) && new URL(url).href === url;
}

/** A GET without a body: what is made of it by nearly all who look at it is its method and its URL. */
class PlainRequestParts {
  readonly method = "GET";
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #whole: Request | undefined;

  constructor(
    readonly url: string,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  static wholeOf(request: PlainRequestParts): Request {
    request.#whole ??= request.#makeWhole();
    return request.#whole;
  }

  #makeWhole(): Request {
    const headers = new Headers();
    const { rawHeaders } = this.#incoming;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
    }
    return new Request(this.url, { headers, signal: this.#clientGone() });
  }

  /** Aborted when the client is gone before the whole answer has left. */
  #clientGone(): AbortSignal {
    const gone = new AbortController();
    const outgoing = this.#outgoing;
    const closed = () => {
      if (!outgoing.writableFinished) gone.abort();
    };
    if (outgoing.destroyed) closed();
    else outgoing.once("close", closed);
    return gone.signal;
  }
}

standIn(PlainRequestParts, Request, PlainRequestParts.wholeOf);

export type PlainRequest = PlainRequestParts & Request;

export const PlainRequest = PlainRequestParts as unknown as new (
  url: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => PlainRequest;
