import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Context, Hono } from "hono";
import { acceptsGzip } from "../../base/text/accept-encoding.js";
import type { AdminContext } from "../context.js";
import { AdminError, answerError } from "../error.js";
import { sessionCookie, sessionCookieName } from "../session.js";
import { dashboardPage, pageHeaders, signInPage } from "./page.js";

/** The files that pages load; no others are served. The build makes all except the schema of scenarios. */
const contentTypes = {
  "app.js": "text/javascript; charset=utf-8",
  "shared.js": "text/javascript; charset=utf-8",
  "editor.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "scenario.schema.json": "application/schema+json",
  "icon.svg": "image/svg+xml",
} as const;

/** Next to the bundle of this file; when run from source, the output folder of the build. */
const folders = ["./dashboard/", "../../../dist/dashboard/", "../scenarios/", "../../../scenarios/"].map(
  (folder) => new URL(folder, import.meta.url),
);

const compressed = promisify(gzip);

/** Enough for a token with the encoding of a form. */
const mostFormBytes = 4096;

/** The dashboard: one page, its files, and sign-in if the admin API demands a token. */
export function mountDashboard(context: AdminContext): Hono {
  const { guard } = context;
  const app = new Hono();

  app.get("/", (http) => {
    if (!mayEnter(http, context)) return http.body(signInPage(false), 401, pageHeaders);
    const signedIn = guard.isSignedIn({ host: http.req.header("host"), cookie: http.req.header("cookie") });
    const page = dashboardPage({
      url: context.url(),
      signedIn,
      report: context.exam !== undefined,
      kept: context.kept,
    });
    return http.body(page, 200, pageHeaders);
  });

  app.get("/assets/:name", async (http) => {
    const name = http.req.param("name");
    const file = fileOf(name);
    if (file === undefined)
      throw new AdminError("NOT_FOUND", "There is no such file; from source, `npm run build` makes them.");
    const type = { "Content-Type": contentTypes[name as keyof typeof contentTypes], Vary: "Accept-Encoding" };
    const content = await readFile(file);
    // A browser asks whether it has the present content: another version may be on the same port tomorrow.
    const tag = `W/"${hash("sha256", content, "base64url")}"`;
    const cached = { ETag: tag, "Cache-Control": "no-cache" };
    for (const [header, value] of Object.entries(cached)) http.header(header, value);
    if (
      http.req
        .header("if-none-match")
        ?.split(",")
        .some((one) => one.trim() === tag)
    )
      return http.body(null, 304, type);
    if (!acceptsGzip(http.req.header("accept-encoding"))) return http.body(content, 200, type);
    return http.body(await compressed(content), 200, { ...type, "Content-Encoding": "gzip" });
  });

  const signIn = async (http: Context) => {
    const host = http.req.header("host");
    const { token, byForm } = await givenToken(http);
    const session = guard.sessionFor(token);
    if (session === undefined) {
      if (byForm) return http.body(signInPage(true), 401, pageHeaders);
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

/** Undefined if pages load no such file, or nothing was built. */
function fileOf(name: string): string | undefined {
  if (!Object.hasOwn(contentTypes, name)) return undefined;
  return folders.map((folder) => fileURLToPath(new URL(name, folder))).find((path) => existsSync(path));
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
