import { type Context, Hono } from "hono";
import type { AdminContext } from "../context.js";
import { AdminError, answerError } from "../error.js";
import { sessionCookie, sessionCookieName } from "../session.js";
import { readAsset } from "./assets.js";
import { dashboardPage, pageHeaders, signInDocument } from "./page.js";
import type { Clock, JournalPage, ScenarioChoice } from "./view/data.js";

/** How many entries the first paint shows: more than fit on a screen. The script fetches the others. */
const firstPaint = 40;

/** Enough for a token with the encoding of a form. */
const mostFormBytes = 4096;

/**
 * The dashboard: one page, its files, and sign-in if the admin API demands a token.
 * @param adminApi the source of the first paint: the same answers that the page fetches afterwards
 */
export function mountDashboard(context: AdminContext, adminApi: () => Promise<Hono>): Hono {
  const { guard } = context;
  const app = new Hono();

  app.get("/", async (http) => {
    if (!mayEnter(http, context)) return http.body(signInDocument(false), 401, pageHeaders);
    const api = await adminApi();
    const read = async <T>(path: string) => (await (await api.request(path)).json()) as T;
    const [newest, scenario, clock] = await Promise.all([
      read<JournalPage>(`/journal?pageSize=${firstPaint}`),
      read<ScenarioChoice>("/scenario"),
      read<Clock>("/clock"),
    ]);
    const signedIn = guard.isSignedIn({ host: http.req.header("host"), cookie: http.req.header("cookie") });
    const report = context.exam === undefined ? "off" : "on";
    const page = dashboardPage({ url: context.url(), page: newest, scenario, clock, signedIn, report });
    return http.body(page, 200, pageHeaders);
  });

  app.get("/assets/:name", async (http) => {
    const asset = await readAsset(http.req.param("name"));
    if (!asset) throw new AdminError("NOT_FOUND", "There is no such file; from source, `npm run build` makes them.");
    return http.body(asset.bytes, 200, { "Content-Type": asset.contentType });
  });

  const signIn = async (http: Context) => {
    const host = http.req.header("host");
    const { token, byForm } = await givenToken(http);
    const session = guard.sessionFor(token);
    if (session === undefined) {
      if (byForm) return http.body(signInDocument(true), 401, pageHeaders);
      throw new AdminError("ADMIN_TOKEN_REQUIRED", "This is not the token of the admin API.");
    }
    http.header("Set-Cookie", sessionCookie(sessionCookieName(host), session));
    return byForm ? http.redirect("/", 303) : http.body(null, 204);
  };
  app.post("/session", signIn);
  // The form posts to the address of the page: then the browser keeps the fragment of the address.
  app.post("/", signIn);

  app.delete("/session", (http) => {
    http.header("Set-Cookie", sessionCookie(sessionCookieName(http.req.header("host")), undefined));
    return http.body(null, 204);
  });

  app.all("*", (http) => {
    if (["/", "/session"].includes(http.req.path))
      throw new AdminError("METHOD_NOT_ALLOWED", "This path does not answer to this method.");
    throw new AdminError("NOT_FOUND", "There is nothing at this path.");
  });
  app.onError(answerError);
  return app;
}

/** Host and Origin were checked before; this checks only the token. */
function mayEnter(http: Context, { guard }: AdminContext): boolean {
  const [host, authorization, cookie] = ["host", "authorization", "cookie"].map((name) => http.req.header(name));
  const checked = { method: http.req.method, origin: undefined, fetchSite: undefined, fetchMode: undefined };
  return !guard.check({ host, authorization, cookie, ...checked, fetchDest: undefined });
}

/**
 * The token of a form, or of JSON.
 * @throws AdminError if the body is neither
 */
async function givenToken(http: Context): Promise<{ readonly token: string; readonly byForm: boolean }> {
  const length = Number(http.req.header("content-length") ?? Number.NaN);
  if (!(length <= mostFormBytes))
    throw new AdminError("PAYLOAD_TOO_LARGE", "Send the token alone, with Content-Length.");
  const type = http.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const text = await http.req.text();
  if (type === "application/x-www-form-urlencoded") {
    return { token: new URLSearchParams(text).get("token") ?? "", byForm: true };
  }
  if (type !== "application/json")
    throw new AdminError("UNSUPPORTED_MEDIA_TYPE", "Send the token as JSON or as a form.");
  try {
    const { token } = JSON.parse(text) as { token?: unknown };
    return { token: typeof token === "string" ? token : "", byForm: false };
  } catch {
    throw new AdminError("INVALID_REQUEST", 'Send {"token": "…"}.');
  }
}
