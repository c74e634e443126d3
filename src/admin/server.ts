import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { lingerAndClose } from "../sandbox/connection/linger.js";
import { ListenError } from "../sandbox/connection/listen-error.js";
import { isOfHead } from "../sandbox/connection/parse-error.js";
import { AnswerQueue, drainTimeoutMs } from "./answer-queue.js";
import type { AdminApp } from "./app.js";
import { errorBody, jsonType } from "./error.js";

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
};

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
      const { status, body } = errorBody("BAD_REQUEST");
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
  // By default Node drops headers beyond 2,000, and the guard would not see them. `maxHeaderSize` is the limit.
  server.maxHeadersCount = 0;
  let closing = false;
  const queues = new WeakMap<Socket, AnswerQueue>();
  const queueOf = (socket: Socket): AnswerQueue => {
    const queue = queues.get(socket) ?? new AnswerQueue(socket, (outgoing) => listener(outgoing.req, outgoing));
    queues.set(socket, queue);
    return queue;
  };
  server.on("connection", (socket: Socket) => {
    // Node calls this after the last answer of a connection. Node's own function would close it while the client is
    // still sending.
    socket.destroySoon = () => lingerAndClose(socket, drainTimeoutMs);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
    queueOf(socket as Socket).refuse(error.code ?? "", isOfHead(error)),
  );
  server.on("connect", (_incoming, socket) => queueOf(socket as Socket).refuse("HPE_INVALID_METHOD"));
  server.on("checkExpectation", (_incoming, outgoing) => {
    const { status, body } = errorBody("EXPECTATION_FAILED");
    outgoing.writeHead(status, { ...jsonType, "Content-Length": body.length, Connection: "close" });
    outgoing.end(body);
  });
  server.on("request", ({ socket }, outgoing) => {
    queueOf(socket).add(outgoing);
    // Node closes only the connections that are idle when it stops. This closes those that become idle later.
    outgoing.once("close", () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
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
