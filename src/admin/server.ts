import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { ListenError } from "../listen-error.js";
import type { AdminApp } from "./app.js";

export interface AdminServer {
  readonly port: number;
  /** Stops listening and ends every connection, after a grace period in milliseconds for what is in flight. */
  close(gracePeriod: number): Promise<void>;
}

/** Serves the admin API on one address. @throws ListenError when the address cannot be bound */
export async function startAdminServer(app: AdminApp, host: string, port: number): Promise<AdminServer> {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () =>
      new Response(JSON.stringify({ message: "This is not a valid HTTP request.", code: "BAD_REQUEST" }), {
        status: 400,
        headers: { "Content-Type": "application/json" },
      }),
  });
  const server = createServer(
    { connectionsCheckingInterval: 1000, headersTimeout: 10_000, requestTimeout: 30_000 },
    listener,
  );
  let closing = false;
  server.on("request", (_incoming, outgoing) => {
    // Node closes the connections that are idle when it stops; one that becomes idle later would hold it up.
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
