import { Hono } from "hono";
import type { Guard } from "./guard.js";

/** How far the sandbox is, for `GET /health`. */
export interface Health {
  /** `ok` only when everything is there, the identities included. */
  readonly status: "ok" | "starting" | "failed";
  readonly identities: "ready" | "pending" | "failed";
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: number;
  readonly ports: { readonly api: number; readonly admin: number };
}

/** What the admin API works with. Made once per sandbox, in `sandbox.ts`. */
export interface AdminContext {
  readonly guard: Guard;
  readonly health: () => Health;
  /** The CA's certificate, PEM. Its key is never given out. */
  readonly caPem: string;
}

export type AdminApp = Hono;

/** The control plane: plain HTTP on a port of its own, so that health checks and tests need no certificate. */
export function createAdminApp({ guard, health, caPem }: AdminContext): AdminApp {
  const app: AdminApp = new Hono();

  app.use(async (context, next) => {
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    context.header("Cache-Control", "no-store");
    // Health checks come by whatever name or address reaches the container.
    if (context.req.path === "/health") return next();
    const problem = guard.check({
      host: context.req.header("host"),
      origin: context.req.header("origin"),
      fetchSite: context.req.header("sec-fetch-site"),
      fetchMode: context.req.header("sec-fetch-mode"),
      authorization: context.req.header("authorization"),
    });
    if (!problem) return next();
    if (problem.status === 401) context.header("WWW-Authenticate", "Bearer");
    return context.json({ message: problem.message, code: problem.code }, problem.status);
  });

  app.get("/health", (context) => {
    const report = health();
    return context.json(report, report.status === "ok" ? 200 : 503);
  });

  app.get("/ca.pem", (context) => context.body(caPem, 200, { "Content-Type": "application/x-pem-file" }));

  app.notFound((context) => context.json({ message: "There is nothing at this path.", code: "NOT_FOUND" }, 404));
  app.onError((_error, context) =>
    context.json({ message: "The sandbox failed; this is a bug in it.", code: "INTERNAL_SERVER_ERROR" }, 500),
  );
  return app;
}
