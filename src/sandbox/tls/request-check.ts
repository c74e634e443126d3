import type { IncomingMessage } from "node:http";
import { readHeader, repeated } from "../connection/raw-headers.js";
import type { Limits } from "./limits.js";
import { badHost, badRequest, badTarget, noHost, type RequestProblem, tooManyHeaders } from "./protocol-problem.js";

/**
 * RFC 9110 §7.2, RFC 3986 §3.2.2: a name, an IPv4 address or an IPv6 address in brackets, and a port. Never user
 * information.
 */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::[0-9]{0,5})?$/;

/** Whether a text can be the value of `Host`. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** Finds what is wrong with a request that Node's parser accepts although HTTP or the limits forbid it. */
export function findRequestProblem(
  incoming: IncomingMessage,
  { maxHeaders }: Pick<Limits, "maxHeaders">,
): RequestProblem | undefined {
  const { httpVersion, headers, rawHeaders } = incoming;
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  // The parser also takes "GET /" without a version (0.9), and 2.0 with HTTP/1.1 framing.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return badRequest("This server speaks HTTP/1.1 and HTTP/1.0.");
  if (headers["transfer-encoding"] !== undefined) {
    // RFC 9112 §6.1: framing that two readers could understand differently is refused.
    if (httpVersion === "1.0") return badRequest("HTTP/1.0 has no Transfer-Encoding.");
    if (headers["transfer-encoding"].toLowerCase() !== "chunked") {
      return badRequest("The only transfer coding that is supported is chunked.");
    }
  }
  return findHostProblem(incoming) ?? findTargetProblem(incoming);
}

/** RFC 9112 §3.2: exactly one valid Host. Node keeps the first of several in `headers`. */
function findHostProblem({ httpVersion, rawHeaders }: IncomingMessage): RequestProblem | undefined {
  const host = readHeader(rawHeaders, "host");
  if (host === repeated) return badRequest("The request has more than one Host header.");
  if (host === undefined) return httpVersion === "1.1" ? noHost : undefined;
  return isHost(host) ? undefined : badHost;
}

/**
 * Lets the application see only targets that begin with a slash: replaces the absolute form and the asterisk form (RFC
 * 9112 §3.2).
 */
function findTargetProblem(incoming: IncomingMessage): RequestProblem | undefined {
  const target = incoming.url ?? "";
  if (target.charCodeAt(0) === 0x2f) return undefined;
  if (target === "*" && incoming.method === "OPTIONS") {
    incoming.url = "/*";
    return undefined;
  }
  const [prefix, authority] = ABSOLUTE_FORM.exec(target) ?? [];
  if (prefix === undefined || authority === undefined || !isHost(authority)) {
    return badTarget;
  }
  const rest = target.slice(prefix.length);
  incoming.url = rest.startsWith("/") ? rest : `/${rest}`;
  // RFC 9112 §3.2.2: the host of the target counts, and not the header.
  incoming.headers.host = authority;
  return undefined;
}
