import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "../clock.js";
import { discardInput, lingerAndClose } from "../connection/linger.js";
import { ListenError } from "../connection/listen-error.js";
import { isOfHead } from "../connection/parse-error.js";
import { answerAndClose } from "../connection/raw-answer.js";
import { type ErrorCode, errorFacts } from "../errors.js";
import type { AdminApp } from "./app.js";
import { ownTurn } from "./turns.js";

export interface AdminServer {
  readonly port: number;
  /** Stops listening and ends every connection, after a grace period in milliseconds for requests in progress. */
  close(gracePeriod: number): Promise<void>;
}

/** How long a client may continue to send after its last answer, in milliseconds. */
const drainTimeoutMs = 5_000;

export const adminLimits = {
  /** An inactive connection is closed after this time, in milliseconds: its reader does not take the answer. */
  inactivityTimeoutMs: 300_000,
  /** Maximum number of connections; one more is closed at once. Each may hold an answer that is not read. */
  mostConnections: 500,
};

/** Requests that may wait (pipelining, RFC 9112 §9.3.2). With one more, the connection is closed after them. */
const mostWaiting = 100;

/** Serves the admin API on one address. @throws ListenError when the address cannot be bound */
export async function startAdminServer(
  app: AdminApp,
  host: string,
  port: number,
  { inactivityTimeoutMs, mostConnections } = adminLimits,
): Promise<AdminServer> {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () => {
      const { status, body } = errorOf("BAD_REQUEST");
      return new Response(body, { status, headers: jsonType });
    },
  });
  const server = createServer({
    connectionsCheckingInterval: 1000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    // As on the API port. With Node's default of five seconds, a client on a busy machine may use a connection that is
    // being closed.
    keepAliveTimeout: 65_000,
    // Node would refuse a request without `Host` and send no body. The adapter refuses it with an error object.
    requireHostHeader: false,
  });
  server.timeout = inactivityTimeoutMs;
  server.maxConnections = mostConnections;
  const owed = new WeakMap<Socket, Set<ServerResponse>>();
  server.on("connection", (socket: Socket) => {
    // Node calls this after the last answer of a connection. Node's own function would close it while the client is
    // still sending.
    socket.destroySoon = () => lingerAndClose(socket, drainTimeoutMs);
  });
  // By default Node drops headers beyond 2,000, and the guard would not see them. `maxHeaderSize` is the limit.
  server.maxHeadersCount = 0;
  /**
   * Connections on which something arrived that is not HTTP. What follows it is ignored; pending answers are sent
   * before the connection ends.
   */
  const malformed = new WeakSet<Socket>();
  const refuse = (socket: Socket, code: string, isHead = false) => {
    if (malformed.has(socket)) return;
    malformed.add(socket);
    const answers = owed.get(socket);
    if (answers === undefined || breaksFirst(answers)) {
      const [first] = answers ?? [];
      answerParseError(code, socket, first === undefined ? isHead : first.req.method === "HEAD");
    }
    // Data after the last request of a connection is not read (RFC 9112 §9.6).
    else if (code === "HPE_CLOSED_CONNECTION") return;
    // An answer that needs the rest of its request cannot be sent.
    else if ([...answers].some(({ req, headersSent }) => !req.complete || headersSent)) socket.destroy();
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    refuse(socket as Socket, error.code ?? "", isOfHead(error)),
  );
  server.on("connect", (_incoming, socket) => refuse(socket as Socket, "HPE_INVALID_METHOD"));
  server.on("checkExpectation", (_incoming, outgoing) => {
    const { status, body } = errorOf("EXPECTATION_FAILED");
    outgoing.writeHead(status, {
      ...jsonType,
      "Content-Length": body.length,
      Connection: "close",
    });
    outgoing.end(body);
  });
  let closing = false;
  /** Each request of all connections gets its own turn: hundreds may arrive at once, and some take milliseconds. */
  const serve = async (outgoing: ServerResponse) => {
    await ownTurn();
    const { req, destroyed } = outgoing;
    const isBroken = !req.complete && malformed.has(req.socket);
    if (!destroyed && !isBroken) await listener(req, outgoing);
  };
  server.on("request", ({ socket }, outgoing) => {
    const answers = owed.get(socket) ?? new Set();
    if (malformed.has(socket)) return;
    if (answers.size > mostWaiting) {
      malformed.add(socket);
      discardInput(socket);
      return;
    }
    owed.set(socket, answers.add(outgoing));
    outgoing.once("close", () => {
      answers.delete(outgoing);
      // One answer at a time: each may be megabytes, and stays in memory until the client takes it.
      const [next] = answers;
      if (next !== undefined && socket.writable) void serve(next);
      else if (malformed.has(socket)) lingerAndClose(socket, drainTimeoutMs);
      // Node closes only the connections that are idle when it stops. This closes those that become idle later.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    if (answers.size === 1) void serve(outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(host, port, error)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (gracePeriod) => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), gracePeriod);
      return closed.finally(() => clearTimeout(deadline));
    },
  };
}

const jsonType = { "Content-Type": "application/json" };

/** The error that the client gets, by the code that Node reports. */
const parseErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** Answers data that is not a valid request. Node's own answer has no body. */
function answerParseError(code: string, socket: Socket, isHead: boolean): void {
  const known = parseErrors[code] ?? (code.startsWith("HPE_") ? "BAD_REQUEST" : undefined);
  if (known === undefined) socket.destroy();
  else answerAndClose(socket, { ...errorOf(known), headers: jsonType }, systemClock, drainTimeoutMs, isHead);
}

function errorOf(code: ErrorCode): { readonly status: number; readonly body: string } {
  const { status, message } = errorFacts(code);
  return { status, body: JSON.stringify({ message, code }) };
}

/** Whether the malformed data is the first request without an answer, or its body: then no other answer is pending. */
function breaksFirst(answers: ReadonlySet<ServerResponse>): boolean {
  const [first] = answers;
  return first === undefined || (answers.size === 1 && !first.req.complete && !first.headersSent);
}
