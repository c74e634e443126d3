import { METHODS } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { Limits } from "./limits.js";
import {
  badHost,
  badRequest,
  badTarget,
  connectRequest,
  headersTooLarge,
  noHost,
  type RequestProblem,
  tooManyHeaders,
  unknownMethod,
} from "./protocol-problem.js";
import { isHost } from "./request-check.js";

const knownMethods = new Set(METHODS);

/** A target that is a path: HTTP/2 has no other forms, except the asterisk of OPTIONS (RFC 9113 §8.3.1). */
const PATH = /^\/[\x21-\x7e]*$/;

/** Without regard to case (RFC 9110 §4.2.3). */
const SCHEME = /^https?$/i;

/** A method that is a token (RFC 9110 §5.6.2), as long as one that the parser of HTTP/1.1 would name. */
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;

/**
 * The headers of a request as HTTP/1.1 would have them: pseudo-headers are left out, and the authority becomes `host`
 * (RFC 9113 §8.3.1).
 */
export function receivedHeaders(raw: readonly string[]): readonly string[] {
  const received: string[] = [];
  let authority: string | undefined;
  let host: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    const value = raw[index + 1] as string;
    if (name === ":authority") authority = value;
    if (name.startsWith(":")) continue;
    if (name === "host") host = value;
    received.push(name, value);
  }
  // RFC 9110 §4.2.3: names of hosts are compared without regard to case.
  if (authority === undefined || authority.toLowerCase() === host?.toLowerCase()) return received;
  return ["host", authority, ...received];
}

/**
 * Finds what is wrong with a request of HTTP/2 that nghttp2 accepts. What it does not accept never becomes a request:
 * it resets the stream with PROTOCOL_ERROR (RFC 9113 §8.1.1).
 * @param headers as `receivedHeaders` gives them
 */
export function findStreamProblem(
  incoming: Http2ServerRequest,
  headers: readonly string[],
  { maxHeaders, maxHeaderBytes }: Pick<Limits, "maxHeaders" | "maxHeaderBytes">,
): RequestProblem | undefined {
  if (headers.length > 2 * maxHeaders) return tooManyHeaders;
  const { method, url = "" } = incoming;
  let size = method.length + url.length;
  let hosts = 0;
  let host = "";
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const value = headers[index + 1] as string;
    // As the lines of HTTP/1.1 would be: a colon, a space, and the end of the line.
    size += name.length + value.length + 4;
    if (name !== "host") continue;
    hosts += 1;
    host = value;
  }
  if (size > maxHeaderBytes) return headersTooLarge;
  if (method === "CONNECT") return connectRequest;
  if (hosts === 0) return noHost;
  if (hosts > 1) return twoHosts;
  if (!isHost(host)) return badHost;
  if (!SCHEME.test(incoming.scheme)) return badTarget;
  if (url === "*" && method === "OPTIONS") incoming.url = "/*";
  else if (!PATH.test(url)) return badTarget;
  if (!knownMethods.has(method)) {
    if (!METHOD.test(method)) return badRequest("The request is not valid HTTP/2: Invalid method.");
    return unknownMethod({ method, target: url });
  }
  return undefined;
}

const twoHosts = badRequest("The :authority of the request and its Host header differ.");
