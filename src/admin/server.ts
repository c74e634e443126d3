import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "../sandbox/clock.js";
import { lingerAndClose } from "../sandbox/connection/linger.js";
import { closeServer, listenOnHosts } from "../sandbox/connection/listen.js";
import { isOfHead } from "../sandbox/connection/parse-error.js";
import { answerAndClose } from "../sandbox/connection/raw-answer.js";
import type { ErrorCode } from "../sandbox/errors.js";
import type { AdminApp } from "./app.js";
import { errorBody } from "./error.js";
import { jsonType } from "./json-answer.js";

/** How long a client may continue to send after its last answer, in milliseconds. */
const drainTimeoutMs = 5_000;

export interface AdminServer {
  readonly port: number;
  /** Stops listening and ends every connection, after a grace period in milliseconds for requests in progress. */
  close(gracePeriod: number): Promise<void>;
}

export const adminLimits = {
  /** An inactive connection is closed after this time, in milliseconds: its reader does not take the answer. */
  inactivityTimeoutMs: 300_000,
  /** Maximum number of connections; one more is closed at once. Each may hold an answer that is not read. */
  mostConnections: 500,
  /** Maximum number of requests in progress. Only clients that pipeline have more than one on a connection. */
  mostRequests: 500,
};

/**
 * Serves the admin API.
 * @param hosts addresses to listen on. The first must work; another that this machine does not have is left out
 * @param port 0 means a free one, the same on every host
 * @throws ListenError when an address cannot be bound
 */
export async function startAdminServer(
  app: AdminApp,
  hosts: readonly string[],
  port: number,
  { inactivityTimeoutMs, mostConnections, mostRequests } = adminLimits,
): Promise<AdminServer> {
  const refused = (code: ErrorCode) => {
    const { status, body } = errorBody(code);
    const headers = status === 503 ? { ...jsonType, "Retry-After": "1" } : jsonType;
    return new Response(body, { status, headers });
  };
  const listener = getRequestListener(
    (request, env) => (inProgress.size > mostRequests ? refused("SERVICE_UNAVAILABLE") : app.fetch(request, env)),
    { overrideGlobalObjects: false, errorHandler: () => refused("BAD_REQUEST") },
  );
  let closing = false;
  const sockets = new Set<Socket>();
  const inProgress = new Set<ServerResponse>();
  /** Refuses what is not a request that Node can read, as far as no other answer is owed or being sent. */
  const refuse = (socket: Socket, code: ErrorCode, method?: string) => {
    const others = [...inProgress].filter(({ req }) => req.socket === socket);
    if (others.some(({ req, headersSent }) => req.complete || headersSent)) socket.destroy();
    else answerAndClose(socket, { ...errorBody(code), headers: jsonType }, systemClock, drainTimeoutMs, method);
  };
  /** The server of one host. */
  const create = () => {
    const server = createServer({
      // As on the API port. With Node's default of five seconds, a client on a busy machine may use a connection that is
      // being closed.
      keepAliveTimeout: 65_000,
      // Node would refuse a request without `Host` and send no body. The adapter refuses it with an error object.
      requireHostHeader: false,
    });
    server.timeout = inactivityTimeoutMs;
    server.on("connection", (socket: Socket) => {
      // The servers of all hosts share the limit.
      if (sockets.size >= mostConnections) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      // Node calls this after the last answer of a connection. Node's own function would close it while the client is
      // still sending.
      socket.destroySoon = () => lingerAndClose(socket, drainTimeoutMs);
      // Node tells the answer that is being sent when its connection ends, but not those of pipelined requests: they have
      // no socket yet.
      socket.once("close", () => {
        sockets.delete(socket);
        for (const outgoing of inProgress)
          if (outgoing.req.socket === socket && outgoing.socket === null) outgoing.emit("close");
      });
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const code = parseErrors[error.code ?? ""] ?? (error.code?.startsWith("HPE_") ? "BAD_REQUEST" : undefined);
      if (code === undefined) socket.destroy();
      else if (socket.writable) refuse(socket as Socket, code, isOfHead(error) ? "HEAD" : undefined);
    });
    server.on("connect", (_incoming, socket) => refuse(socket as Socket, "BAD_REQUEST"));
    server.on("checkExpectation", ({ socket }) => refuse(socket, "EXPECTATION_FAILED"));
    server.on("request", (incoming, outgoing) => {
      inProgress.add(outgoing);
      outgoing.once("close", () => {
        inProgress.delete(outgoing);
        // Node closes only the connections that are idle when it stops. This closes those that become idle later.
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      void listener(incoming, outgoing);
    });
    return server;
  };
  const { servers, port: bound } = await listenOnHosts({ hosts, port, create });
  return {
    port: bound,
    close: async (gracePeriod) => {
      closing = true;
      const closed = Promise.all(servers.map(closeServer));
      for (const server of servers) server.closeIdleConnections();
      const deadline = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, gracePeriod);
      await closed.finally(() => clearTimeout(deadline));
    },
  };
}

/** The error that the client gets, by the code that Node reports. */
const parseErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};
