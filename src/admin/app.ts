import { type Context, Hono } from "hono";
import type { AdminContext } from "./context.js";
import { AdminError, answerError } from "./error.js";
import { jsonAnswer } from "./json-answer.js";

export type AdminApp = Hono;

/**
 * The control plane: plain HTTP on its own port, so that health checks and tests need no certificate. Routes and their
 * schemas are loaded with the first request that needs them, so that the sandbox starts fast.
 */
export function createAdminApp(context: AdminContext): AdminApp {
  const app: AdminApp = new Hono();
  let routes: Promise<Hono> | undefined;
  let dashboard: Promise<Hono> | undefined;
  const adminApi = () => {
    routes ??= import("./routes/table.js").then(({ mountRoutes }) => mountRoutes(context));
    return routes;
  };

  app.use(async (http, next) => {
    http.header("X-Content-Type-Options", "nosniff");
    http.header("Cross-Origin-Resource-Policy", "same-origin");
    http.header("Cache-Control", "no-store");
    const { path, method } = http.req;
    // Health checks use any name or address that reaches the container.
    if (path === "/health" && ["GET", "HEAD"].includes(method)) return next();
    const problem = context.guard.check({
      host: http.req.header("host"),
      origin: http.req.header("origin"),
      method,
      fetchSite: http.req.header("sec-fetch-site"),
      fetchMode: http.req.header("sec-fetch-mode"),
      fetchDest: http.req.header("sec-fetch-dest"),
      authorization: http.req.header("authorization"),
      cookie: http.req.header("cookie"),
    });
    // The dashboard has its own sign-in page. Its files come from the package and contain no secrets.
    if (problem && !(problem.code === "ADMIN_TOKEN_REQUIRED" && isDashboardPath(path))) throw problem;
    // `/metrics` still answers: it helps to find out why the state cannot be reached.
    if (isDashboardPath(path) || path === "/metrics") return next();
    await context.store.current();
    const unavailable = context.store.unavailable();
    if (unavailable !== undefined) throw new AdminError("SHARED_STATE_UNAVAILABLE", unavailable);
    return next();
  });

  app.get("/health", (http) => {
    const report = context.health();
    return jsonAnswer(http, report, report.status === "ok" ? 200 : 503);
  });

  const passTo = async (http: Context, inner: Promise<Hono>) => {
    const answer = await (await inner).fetch(http.req.raw, http.env);
    const caching = answer.headers.get("Cache-Control");
    if (caching !== null) http.header("Cache-Control", caching);
    // The common headers belong on every answer, including those of the inner apps.
    const headers = { ...Object.fromEntries(http.res.headers), ...Object.fromEntries(answer.headers) };
    return new Response(answer.body, { status: answer.status, headers });
  };

  app.all("*", (http) => {
    if (!isDashboardPath(http.req.path)) return passTo(http, adminApi());
    dashboard ??= import("./dashboard/mount.js").then(({ mountDashboard }) => mountDashboard(context));
    return passTo(http, dashboard);
  });

  app.onError(answerError);
  return app;
}

/** The dashboard's own paths. For everything else it uses the admin API, like any client. */
function isDashboardPath(path: string): boolean {
  return path === "/" || path === "/session" || path.startsWith("/assets/");
}
