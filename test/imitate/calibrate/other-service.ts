import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { issueTestCertificates } from "../../support/certificates.js";
import { afterTest } from "../../support/cleanups.js";

/** A request as the service has seen it. */
interface Logged {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** Number of its connection. */
  readonly connection: number;
  /** Connections that were open. */
  readonly open: number;
  readonly at: number;
}

export interface OtherService {
  readonly url: URL;
  readonly certificates: ReturnType<typeof issueTestCertificates>;
  readonly log: readonly Logged[];
  /** What calibrate must never write: tokens, and the values of its rows. */
  readonly secrets: readonly string[];
}

/** Options of the service. */
export interface OtherOptions {
  readonly now?: () => number;
  /** If it returns an answer, that is sent instead of the service's own. */
  readonly before?: (
    count: number,
  ) => { readonly status: number; readonly headers?: Record<string, string> } | undefined;
}

const people = ["Ada Lovelace", "Charles Babbage", "Grace Hopper", "Edsger Dijkstra"];

/** 60 payments with personal data, newest first. */
const rows = Array.from({ length: 60 }, (_, index) => ({
  payment_id: `pmt_${(index * 7_919_123 + 123_456_789).toString(36).toUpperCase()}9`,
  payer: people[index % people.length] as string,
  iban: `DE8937040044053201${String(3000 + index)}`,
  email: `person${index}@example.org`,
  type: index % 3 === 0 ? "credit" : "debit",
  cents: 1_234_567 + index * 31,
  tags: [`secret-tag-${index}`],
  created: new Date(Date.UTC(2026, 9, 30, 12) - index * 7_200_000).toISOString().replace(".000", ""),
}));

/** A service that is not the sandbox, and has made other choices. */
export async function otherService({
  now = Date.now,
  before = () => undefined,
}: OtherOptions = {}): Promise<OtherService> {
  const certificates = issueTestCertificates();
  const { ca, server: identity, client } = certificates;
  const log: Logged[] = [];
  const tokens = new Set<string>();
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  let open = 0;
  const server = createServer(
    { cert: identity.cert, key: identity.key, ca: ca.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const connection = numbers.get(request.socket) ?? 0;
      const { method = "", url = "", headers } = request;
      log.push({ method, url, headers, connection, open, at: now() });
      const given = before(log.length);
      if (given) return end(response, given.status, undefined, given.headers);
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => answer(request, response, body, tokens, client.x509.fingerprint256));
    },
  );
  server.on("secureConnection", (socket) => {
    connections += 1;
    open += 1;
    numbers.set(socket, connections);
    socket.on("close", () => {
      open -= 1;
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const values = rows.flatMap(({ payment_id, payer, iban, email, cents, tags, created }) => [
    payment_id,
    payer,
    iban,
    email,
    String(cents),
    ...tags,
    created,
  ]);
  return {
    url: new URL(`https://localhost:${(server.address() as AddressInfo).port}/api`),
    certificates,
    log,
    get secrets() {
      return [...tokens, ...values];
    },
  };
}

function end(response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}): unknown {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, { ...(text !== undefined && { "Content-Type": "application/json" }), ...headers });
  return response.end(text);
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  tokens: Set<string>,
  registered: string,
): unknown {
  const { method, headers } = request;
  const url = new URL(request.url ?? "/", "https://host");
  const path = url.pathname.replace(/^\/api/, "");
  const id = headers["x-request-id"];
  response.setHeader("X-Request-ID", typeof id === "string" ? id : randomBytes(8).toString("hex"));
  if (method === "OPTIONS") return end(response, 204);
  const certificate = (request.socket as TLSSocket).getPeerCertificate();
  const known = certificate.fingerprint256 === registered;
  if (path === "/oauth/v2/oauth-token") return method === "POST" ? token() : end(response, 405, { code: "no_method" });
  if (path !== "/v1/ping" && path !== "/payments") return end(response, 404);
  if (method !== "GET" && method !== "HEAD") return end(response, 405, { code: "no_method" });
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (headers.authorization === undefined) return end(response, 401, { code: "token_missing" });
  if (bearer === undefined || !tokens.has(bearer) || !known) return end(response, 403, { code: "token_bad" });
  return path === "/payments"
    ? page()
    : end(response, 200, { message: "pong", merchant: "babbage", time: new Date().toISOString() });

  function token(): unknown {
    const refuse = (status: number, code: string) => end(response, status, { code, message: `No: ${code}` });
    if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded")) return refuse(415, "FORM_ONLY");
    const form = new URLSearchParams(body);
    if (!known) return refuse(403, "CERTIFICATE_UNKNOWN");
    if (form.get("client_id") !== "acme") return refuse(401, "CLIENT_UNKNOWN");
    if (form.get("grant_type") === null) return refuse(422, "INCOMPLETE");
    if (form.get("grant_type") !== "client_credentials") return refuse(400, "NO_SUCH_GRANT");
    if (form.has("scope") && form.get("scope") !== "read") return refuse(400, "NO_SUCH_SCOPE");
    const made = randomBytes(24).toString("base64url");
    tokens.add(made);
    return end(response, 200, { access_token: made, token_type: "bearer", expires_in: 120, scope: "read" });
  }

  function page(): unknown {
    const limit = url.searchParams.get("limit");
    if (limit !== null && !/^[1-9]\d*$/.test(limit)) return end(response, 400, { code: "INVALID_PAGE_SIZE" });
    const size = Math.min(Number(limit ?? 7), 25);
    const start = Number(Buffer.from(url.searchParams.get("page_token") ?? "", "base64url").toString() || 0);
    if (Number.isNaN(start)) return end(response, 400, { code: "INVALID_CURSOR" });
    const since = Date.parse(url.searchParams.get("since") ?? "1970-01-01");
    const until = Date.parse(url.searchParams.get("until") ?? "2999-01-01");
    const inside = rows.filter(({ created }) => Date.parse(created) >= since && Date.parse(created) <= until);
    const found = inside.slice(start, start + size);
    const more = start + size < inside.length;
    const next = more ? Buffer.from(String(start + size)).toString("base64url") : null;
    return end(response, 200, { results: found, page: { next, has_more: more, total: inside.length } });
  }
}

/** The kinds of requests that calibrate may send to a service with one list: they only read, or request a token. */
export function readingRequests(base: string, list: string): readonly string[] {
  const [token, ping] = [`${base}/oauth/v2/oauth-token`, `${base}/v1/ping`];
  const nowhere = `${base}/v1/payments-sandbox-calibrate-no-such-path`;
  return [`GET ${base}${list}`, `GET ${ping}`, `GET ${nowhere}`, `POST ${token}`].sort();
}
