import type { ExchangeDetail } from "./data.js";

/** A request that a program should send. */
export interface Call {
  readonly method: string;
  /** The request target, with the base path. */
  readonly target: string;
  /** Without the token, and without headers that the program sends by itself. */
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

/** Names of headers that a copy does not send again, and that an HTTP client does not send in the same way. */
export function leftOut({ request }: ExchangeDetail): string[] {
  const names = request.headers.map(([name]) => name);
  return names.filter((name) => ["user-agent", "accept-encoding", "expect", "upgrade"].includes(name.toLowerCase()));
}

function isBearer(name: string, value: string): boolean {
  return name.toLowerCase() === "authorization" && /^bearer /i.test(value);
}

/** Whether every client sends a target unchanged: some normalise paths, brackets and fragments. */
export function isPlainTarget(target: string): boolean {
  return /^\/(?!\/)[\w\-.~!$&'()*+,;=:@/?%]*$/.test(target) && !/\/\.{1,2}(\/|$|\?)/.test(target);
}

function formText(form: NonNullable<ExchangeDetail["request"]["form"]>): string {
  return form
    .flatMap(({ name, values }) => values.map((value) => `${encoded(name)}=${value === null ? "%ff" : encoded(value)}`))
    .join("&");
}

/** A lone surrogate cannot be encoded, and cannot have been sent over the network. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%20", "+");
}
