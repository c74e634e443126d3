import { tokenLine } from "../../../../base/text/token-line.js";
import { undecodableName } from "../../../../sandbox/api/parameters.js";
import { operations } from "../../../../sandbox/operations.js";
import type { ExchangeDetail } from "../api.js";
import { type Files, ownSender, type Sender } from "../files.js";

/** A request that a command sends. */
export interface Call {
  readonly method: string;
  /** The request target, with the base path. */
  readonly target: string;
  /** Without the token, and without headers that curl sends by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether it is sent with a fresh bearer token. */
  readonly bearer: boolean;
  /** The encoded form. */
  readonly form: string | undefined;
}

/** Headers that an HTTP client sends by itself, or that belong to one connection. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "expect",
  "upgrade",
  "user-agent",
  "sandbox-replay",
]);

/** The request of an exchange, with the fault that acted; undefined if it was not an HTTP request. */
export function callOf(detail: ExchangeDetail): Call | undefined {
  const { method, target, fault, request } = detail;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) || target === "-") return undefined;
  const isForeign = hasForeignToken(detail);
  const headers = request.headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower) || (lower === "accept" && value === "*/*")) return false;
    if (isBearer(name, value)) return isForeign;
    return fault === null || lower !== "sandbox-scenario";
  });
  return {
    method,
    target,
    headers: [
      ...headers.map(([name, value]) => [name, isBearer(name, value) ? "Bearer not-a-token" : value] as const),
      ...(fault === null ? [] : [["Sandbox-Replay", fault] as const]),
    ],
    bearer: !isForeign && request.headers.some(([name, value]) => isBearer(name, value)),
    form: request.form ? formText(request.form) : undefined,
  };
}

/** Whether the token that was sent was refused, because the sandbox did not issue it. */
export function hasForeignToken({ token, request, decisions }: ExchangeDetail): boolean {
  const isRefused = decisions.some(({ step, outcome }) => step === "access-token" && outcome === "refused");
  return token === null && isRefused && request.headers.some(([name, value]) => isBearer(name, value));
}

function isBearer(name: string, value: string): boolean {
  return name.toLowerCase() === "authorization" && /^bearer /i.test(value);
}

function formText(form: NonNullable<ExchangeDetail["request"]["form"]>): string {
  return form
    .flatMap(({ name, values }) => values.map((value) => `${encodedPart(name)}=${encodedPart(value)}`))
    .join("&");
}

/** What could not be decoded is replaced by something else that cannot be decoded. */
function encodedPart(text: string | null): string {
  return text === null || text === undecodableName ? "%ff" : encoded(text);
}

/** Whether a form was not text: then its bytes were not kept. */
export function isBinaryForm({ request: { form } }: ExchangeDetail): boolean {
  return form?.some(({ name, values }) => name === undecodableName || values.includes(null)) === true;
}

/** A lone surrogate cannot be encoded, and cannot have been sent over the network. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%20", "+");
}

/** The `curl` command that repeats an exchange, with the fault that acted; undefined if it was not an HTTP request. */
export function curlFor(detail: ExchangeDetail, sender: Sender): string | undefined {
  const call = callOf(detail);
  if (!call) return undefined;
  const { method, target, headers, bearer, form } = call;
  const words = [
    detail.httpVersion === "HTTP/2" ? "curl -i --http2" : "curl -i --http1.1",
    ...tlsWords(sender.ca, sender.own),
  ];
  if (method === "HEAD") words.push("--head");
  else if (method !== (form === undefined ? "GET" : "POST")) words.push(`-X ${shellWord(method)}`);
  for (const [name, value] of headers) {
    // curl sends this header by itself.
    if (form !== undefined && name.toLowerCase() === "content-type" && value === formType) continue;
    words.push(`-H ${byteWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (bearer) words.push('-H "Authorization: Bearer $TOKEN"');
  if (form !== undefined) words.push(`--data-raw ${shellWord(form)}`);
  words.push(...targetWords(sender.url, target));
  return `${bearer ? `${tokenCommand(sender)}\n` : ""}${words.join(" \\\n  ")}`;
}

const formType = "application/x-www-form-urlencoded";

/** The line that gets a fresh token into `$TOKEN`. */
function tokenCommand({ url, ca, holder, scope }: Sender): string {
  const form = `-d grant_type=client_credentials -d client_id=${shellWord(holder.clientId)} -d ${shellWord(`scope=${encodeURIComponent(scope)}`)}`;
  const words = ["curl -sS", ...tlsWords(ca, holder), form, shellWord(`${url}${operations.token.path}`)];
  return tokenLine(`${words.join(" \\\n  ")} \\\n `);
}

/** The commands for a first token and ping. */
export function firstCommands(files: Files): string {
  const { url, ca } = files;
  const ping = ['-H "Authorization: Bearer $TOKEN"', shellWord(`${url}${operations.ping.path}`)];
  return [tokenCommand(ownSender(files)), ["curl -sS", ...tlsWords(ca, files), ...ping].join(" \\\n  ")].join("\n");
}

function tlsWords(ca: string, own: Files | undefined): string[] {
  const files = own ? [`--cert ${shellWord(own.cert)} --key ${shellWord(own.key)}`] : [];
  return [`--cacert ${shellWord(ca)}`, ...files];
}

/** curl normalises paths, brackets and fragments unless options prevent it. Target and URL both have the base path. */
function targetWords(baseUrl: string, target: string): string[] {
  const url = new URL(baseUrl).origin;
  const isKept = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@/?%]*$/.test(target) && !/\/\.{1,2}(\/|$|\?)/.test(target);
  if (isKept) return [shellWord(url + target)];
  return [`--globoff --path-as-is --request-target ${shellWord(target)}`, shellWord(`${url}/`)];
}

/** A word that a POSIX shell passes on unchanged. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The word of a header. Each character of the value is one byte: UTF-8 is written as text, other bytes as escapes. */
function byteWord(bytes: string): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return shellWord(decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0))));
  } catch {
    const octal = (character: string) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
    return `"$(printf '${bytes.replaceAll(/[^\w :;,./-]|^-/g, octal)}')"`;
  }
}
