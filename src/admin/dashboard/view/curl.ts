import { tokenLine } from "../../../text/token-line.js";
import type { ExchangeDetail } from "./data.js";

/** Where the API and the files of an identity are, as the person's own machine names them. */
export interface IdentityFiles {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  /** Undefined where the connection had no certificate, or one whose files nobody but the client has. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** What curl sends by itself, or what belongs to one connection. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "expect",
  "sandbox-replay",
]);

/** The `curl` that repeats an exchange, with the fault that it met; undefined for what was no HTTP request. */
export function curlFor(detail: ExchangeDetail, files: IdentityFiles): string | undefined {
  const { method, target, fault, request } = detail;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) || target === "-") return undefined;
  const bearer = request.headers.some(([name, value]) => isAuthorization(name) && /^bearer /i.test(value));
  const words = ["curl -i", ...tlsWords(files)];
  if (method === "HEAD") words.push("--head");
  else if (method !== (request.form ? "POST" : "GET")) words.push(`-X ${shellWord(method)}`);
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower) || (lower === "accept" && value === "*/*") || lower === "user-agent") continue;
    if (fault !== null && lower === "sandbox-scenario") continue;
    if (request.form && lower === "content-type" && value === "application/x-www-form-urlencoded") continue;
    if (isAuthorization(name) && /^bearer /i.test(value)) words.push('-H "Authorization: Bearer $TOKEN"');
    else words.push(`-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (fault !== null) words.push(`-H ${shellWord(`Sandbox-Replay: ${fault}`)}`);
  if (request.form) words.push(`--data-raw ${shellWord(formText(request.form))}`);
  words.push(...targetWords(files.url, target));
  return `${bearer ? `${tokenCommand(files)}\n` : ""}${words.join(" \\\n  ")}`;
}

/** The line that puts a fresh token into `$TOKEN`. */
function tokenCommand(files: IdentityFiles): string {
  const form = `-d grant_type=client_credentials -d client_id=${shellWord(files.clientId)} -d scope=read`;
  const words = ["curl -sS", ...tlsWords(files), form, shellWord(`${files.url}/oauth/v2/oauth-token`)];
  return tokenLine(`${words.join(" \\\n  ")} \\\n `);
}

/** A first token and ping. */
export function firstCommands(files: IdentityFiles): string {
  const ping = ['-H "Authorization: Bearer $TOKEN"', shellWord(`${files.url}/v1/ping`)];
  return [tokenCommand(files), ["curl -sS", ...tlsWords(files), ...ping].join(" \\\n  ")].join("\n");
}

function tlsWords({ ca, cert, key }: IdentityFiles): string[] {
  const own = cert !== undefined && key !== undefined ? [`--cert ${shellWord(cert)} --key ${shellWord(key)}`] : [];
  return [`--cacert ${shellWord(ca)}`, ...own];
}

/** curl tidies up paths, brackets and fragments unless it is told not to. */
function targetWords(url: string, target: string): string[] {
  if (/^\/(?!\/)[\w\-.~!$&'()*+,;=:@/?%]*$/.test(target) && !/\/\.{1,2}(\/|$|\?)/.test(target)) {
    return [shellWord(url + target)];
  }
  return [`--globoff --path-as-is --request-target ${shellWord(target)}`, shellWord(`${url}/`)];
}

function formText(form: NonNullable<ExchangeDetail["request"]["form"]>): string {
  return form
    .flatMap(({ name, values }) => values.map((value) => `${encoded(name)}=${value === null ? "%ff" : encoded(value)}`))
    .join("&");
}

/** A lone surrogate cannot be encoded, and has not come over the wire either. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%20", "+");
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === "authorization";
}

/** A word that a POSIX shell passes on as it is. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
