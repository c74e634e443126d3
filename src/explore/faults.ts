import type { JsonObject } from "../base/text/json-object.js";
import type { Role } from "../sandbox/journal/role.js";

/** Where a fault can happen. */
const places = {
  "every-operation": () => true,
  token: ({ operation }) => operation === "token",
  /** Every operation that needs a token. */
  "with-token": ({ operation }) => operation !== "token",
  page: ({ operation }) => operation === "list",
  "no-page": ({ operation }) => operation !== "list",
  /** A page that is requested with a cursor. */
  "later-page": ({ role }) => role === "middle" || role === "last",
} as const satisfies Readonly<Record<string, (point: Role) => boolean>>;

/** What a failure is for a client: each kind has its own advice. */
export type Failure =
  | "broken"
  | "held"
  | "passing"
  | "waits"
  | "stream"
  | "goaway"
  | "slow"
  | "html"
  | "refused"
  | "unauthorized"
  | "expiry"
  | "cursor"
  | "new-field"
  | "empty-page"
  | "short-page"
  | "double-row";

/** One way in which the service fails at a point. */
export interface ExploreFault {
  /** As in the name of a cell: `reset`, `reset-always`. */
  readonly name: string;
  readonly failure: Failure;
  readonly at: keyof typeof places;
  /** The version of HTTP that has it; undefined for both. */
  readonly http?: 2;
  /** Whether it acts on every request from the point on, and not only on the first one of the point. */
  readonly always: boolean;
  /**
   * Whether a client comes through that tries again, or takes another token. Otherwise the fault stays, or its answer
   * says that a repetition cannot help: a program that ends with an error has failed clearly.
   */
  readonly passes: boolean;
  /** Whether it leaves the request open until the client gives up. */
  readonly holds: boolean;
  /** How long it keeps a client waiting that does what it should, in milliseconds. */
  readonly waits: number;
  /** Whether it acts only when the token is used that it has spoiled, and not on the request itself. */
  readonly actsLater: boolean;
  /** The `then` of its rule. */
  readonly does: JsonObject;
}

type Traits = Partial<Omit<ExploreFault, "name" | "does" | "always">>;

const usual = {
  failure: "broken",
  at: "every-operation",
  always: false,
  passes: true,
  holds: false,
  waits: 0,
  actsLater: false,
} satisfies Partial<ExploreFault>;

/** A fault that acts on the first request of a point. */
export function once(name: string, does: JsonObject, traits: Traits = {}): ExploreFault {
  return { ...usual, ...traits, name, does };
}

/** A fault that acts from a point on. */
export function fromThereOn(name: string, does: JsonObject, traits: Traits = {}): ExploreFault {
  return { ...once(name, does, traits), always: true, passes: false };
}

function always(name: string, does: JsonObject, traits: Traits = {}): ExploreFault {
  return fromThereOn(`${name}-always`, does, traits);
}

/** Longer than anybody waits for a client. The sandbox of a run ends before. */
const untilGivenUp = "1h";

const html = (status: number, title: string) => ({
  respond: {
    status,
    headers: { "Content-Type": "text/html" },
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  },
});

const hang = { connection: { kind: "hang", duration: untilGivenUp } };
const error500 = { error: { code: "INTERNAL_SERVER_ERROR", message: "Something went wrong." } };
const error503 = { error: { code: "SERVICE_UNAVAILABLE", retryAfter: "1s" } };

const unauthorized = { error: "bearer.invalid-token" };
const unknownMember = { apiRevision: "2031-01" };

/**
 * The faults, in the order of what finds most: once before always, and the wire before codes before contents.
 * A name is unique at a point.
 */
export const exploreFaults: readonly ExploreFault[] = [
  once("reset", { connection: "reset" }),
  once("close", { connection: "close" }),
  once("hang", hang, { failure: "held", holds: true }),
  once("truncate", { connection: "truncate" }),
  once("stall", { connection: { kind: "stall", duration: untilGivenUp } }, { failure: "held", holds: true }),
  once("garbage", { connection: "garbage" }),
  once("stream-refused", { stream: "refused" }, { failure: "stream", http: 2 }),
  once("goaway", { connection: "goaway" }, { failure: "goaway", http: 2 }),
  once("slow", { delay: "2s" }, { failure: "slow", waits: 2000 }),
  once("html-502", html(502, "502 Bad Gateway"), { failure: "html" }),
  once("error-500", error500, { failure: "passing" }),
  once("error-503", error503, { failure: "waits", waits: 1000 }),
  once("error-429", { error: { code: "TOO_MANY_REQUESTS", retryAfter: "1s" } }, { failure: "waits", waits: 1000 }),
  once("unauthorized", unauthorized, { failure: "unauthorized", at: "with-token" }),
  once(
    "unknown-code",
    { respond: { status: 400, body: { message: "This is new.", code: "SOMETHING_NEW" } } },
    { failure: "refused", passes: false },
  ),
  // A client that begins again comes through. One that says so and stops has failed clearly, too.
  once("cursor-refused", { error: "INVALID_CURSOR" }, { failure: "cursor", at: "later-page", passes: false }),
  // It has expired when it is used for the first time: a longer life would make the result depend on the time.
  once("early-expiry", { token: { expiresIn: "0s" } }, { failure: "expiry", at: "token", actsLater: true }),
  // It comes from something between, which usually stays until a person has looked.
  once("not-json", html(200, "Sign in"), { failure: "html", passes: false }),
  once("unknown-field", { alter: { body: unknownMember } }, { failure: "new-field", at: "no-page" }),
  once(
    "unknown-field",
    { alter: { body: unknownMember, rows: { riskScore: 7 } } },
    { failure: "new-field", at: "page" },
  ),
  once("empty-page", { page: { empty: true } }, { failure: "empty-page", at: "page" }),
  once("short-page", { page: { rows: 1 } }, { failure: "short-page", at: "page" }),
  once("duplicate-row", { page: { duplicate: 1 } }, { failure: "double-row", at: "page" }),
  always("reset", { connection: "reset" }),
  always("hang", hang, { failure: "held", holds: true }),
  always("error-500", error500, { failure: "passing" }),
  always("error-503", error503, { failure: "waits", waits: 1000 }),
  always("unauthorized", unauthorized, { failure: "unauthorized", at: "with-token" }),
  always("forbidden", { error: "FORBIDDEN" }, { failure: "refused", at: "with-token" }),
  always("invalid-client", { error: "INVALID_CLIENT" }, { failure: "refused", at: "token" }),
];

/**
 * The faults that can happen at a point, in their order.
 * @param http2 whether its requests came over HTTP/2
 */
export function faultsAt(point: Role, http2: boolean): readonly ExploreFault[] {
  return exploreFaults.filter(({ at, http }) => places[at](point) && (http === undefined || http2));
}
