import { enumerated } from "../../base/text/enumerated.js";
import { quote } from "../../base/text/printable.js";
import type { Condition, ConnectionFault, Delay, Fault, NamedValues, Rule, WantedValue } from "./definition.js";
import type { Expectation } from "./expectation.js";
import { actsOnHandshake } from "./rule-index.js";

/** What a rule does, in one sentence for people. */
export function describeRule(rule: Rule): string {
  const parts = [who(rule), ...counting(rule)].filter((part) => part !== "");
  return `${parts.join(", ")}: ${describeFault(rule.fault)}.`;
}

/** What a correct client does, in sentences for people. */
export function describeExpectation({ outcome, checks, requests }: Expectation): string {
  const ends = {
    succeeds: "The program of a correct client succeeds.",
    fails: "The program of a correct client fails, and says why.",
    any: "The program of a correct client may succeed or fail.",
  }[outcome];
  const bounds = Object.entries(requests).map(
    ([operation, { min, max } = {}]) =>
      `${operation} ${[min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`].filter(Boolean).join(" and ")}`,
  );
  return [
    ends,
    checks.length > 0 ? `It passes ${enumerated(checks, "and")}.` : "",
    bounds.length > 0 ? `Requests that it sends: ${bounds.join("; ")}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function who({ when, fault }: Rule): string {
  if (actsOnHandshake(fault)) return ["every new connection", ...windowOf(when)].join(", ");
  const { operations, method, list, page, cursor, client, certificate, attempt } = when;
  const subject = page !== undefined ? `page ${page}` : operations ? enumerated(operations, "or") : "every request";
  return [
    method === undefined ? subject : `${subject} by ${method}`,
    list === undefined ? "" : `of the list ${quote(list)}`,
    cursor === undefined ? "" : `with${cursor ? "" : "out"} a cursor`,
    client === undefined ? "" : `of the client ${client}`,
    certificate === undefined ? "" : `with the certificate: ${certificate}`,
    ...valuesOf("the parameter", when.query),
    ...valuesOf("the header", when.headers),
    ...valuesOf("the form field", when.form),
    attempt === undefined ? "" : `sent for the ${ordinal(attempt)} time in a row`,
    ...windowOf(when),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function windowOf({ after, duration }: Condition): string[] {
  const from = after === undefined ? "" : `from ${time(after)} after the activation`;
  const length =
    duration === undefined ? "" : `for ${time(duration)}${after === undefined ? " from the activation" : ""}`;
  return [from, length].filter((part) => part !== "");
}

function valuesOf(what: string, values: NamedValues | undefined): string[] {
  return (values ?? []).map(([name, value]) => `${what} ${name} ${valueText(value)}`);
}

function valueText(value: WantedValue): string {
  if (typeof value === "boolean") return value ? "is sent" : "is not sent";
  return `is ${enumerated(
    [value].flat().map((one) => (typeof one === "string" ? quote(one) : `like ${quote(one.source)}`)),
    "or",
  )}`;
}

function counting({ skip, every, limit, probability, share }: Rule): string[] {
  return [
    skip > 0 ? `after the first ${skip}` : "",
    every > 1 ? `each ${ordinal(every)}` : "",
    limit === Number.POSITIVE_INFINITY ? "" : limit === 1 ? "once" : `${limit} times at most`,
    probability < 1 ? `with probability ${probability}` : "",
    share === "all" ? "counted for all clients together" : "",
  ];
}

/** One for each kind of fault; the type requires all of them. */
const faults: { readonly [Kind in keyof Required<Fault>]: (fault: NonNullable<Fault[Kind]>) => string } = {
  clock: ({ advance }) => `the client's clock moves ${time(advance)} on`,
  delay: (delay) => `a delay of ${delayText(delay)}`,
  error: ({ code, status }) => `the error ${code}${status === undefined ? "" : ` with status ${status}`}`,
  respond: ({ status }) => `an answer of its own with status ${status}`,
  rateLimit: ({ limit, per }) => `429 beyond ${limit} requests in ${time(per)}`,
  concurrency: ({ limit }) => `429 while ${limit} others are open`,
  token: ({ expiresIn, otherCertificate, tokenType, revoke }) =>
    [
      revoke ? "the token is refused from now on" : "",
      expiresIn === undefined ? "" : `a token that expires after ${time(expiresIn)}`,
      otherCertificate ? "a token for another certificate" : "",
      tokenType === undefined ? "" : `the token_type ${quote(tokenType)}`,
    ]
      .filter((part) => part !== "")
      .join(" and "),
  page: ({ insert, remove, duplicate, empty, deadEnd, rows, cursor }) => {
    if (insert !== undefined) return `rows of the page before come again (${insert})`;
    if (remove !== undefined) return `rows are missed (${remove})`;
    if (duplicate !== undefined) return `the first rows appear twice (${duplicate})`;
    if (empty) return "an empty page with a cursor";
    if (deadEnd) return "a cursor on the last page, which leads to an empty one";
    return rows === undefined
      ? `a cursor that leads to ${cursor === "same" ? "this page again" : "page 1"}`
      : `${rows} rows at most`;
  },
  alter: ({ status, headers, body, rows, setNull }) => {
    const changed = [
      status === undefined ? "" : `status ${status}`,
      Object.keys(headers).length > 0 ? "headers" : "",
      body === undefined ? "" : "body",
      rows === undefined ? "" : "rows",
      setNull.length > 0 ? `null at ${setNull.map((path) => path.join(".")).join(", ")}` : "",
    ];
    return `the real answer, changed (${changed.filter((part) => part !== "").join("; ")})`;
  },
  connection: (fault) => connectionText(fault),
  stream: (fault) => (fault.kind === "refused" ? "the stream is refused" : `the stream is reset with ${fault.code}`),
};

/** What a fault is, in words: `the error INVALID_CURSOR`. */
export function describeFault(fault: Fault): string {
  const kinds = new Set([...Object.keys(faults), ...Object.keys(fault)] as (keyof Fault)[]);
  return [...kinds]
    .filter((kind) => fault[kind] !== undefined)
    .map((kind) => (faults[kind] as ((given: unknown) => string) | undefined)?.(fault[kind]) ?? kind)
    .join(", and ");
}

function connectionText(fault: ConnectionFault): string {
  switch (fault.kind) {
    case "reset":
      return "when" in fault ? "a TCP reset in the handshake" : "a TCP reset before any byte";
    case "close":
      return "the connection is closed before any byte";
    case "hang":
      return `no answer for ${time(fault.duration)}`;
    case "truncate":
      return `a TCP reset (over HTTP/2, a reset of the stream) after ${fault.after === undefined ? "half" : `${fault.after} bytes`} of the body`;
    case "garbage":
      return "bytes that are not HTTP";
    case "drip":
      return `the body a piece at a time, over ${time(fault.duration)}`;
    case "goaway":
      return `GOAWAY${fault.code === "NO_ERROR" ? "" : ` with ${fault.code}`}${fault.lastStream === "before" ? " before the request" : ""}`;
  }
}

function delayText(delay: Delay): string {
  if (delay.kind === "fixed") return time(delay.duration);
  if (delay.kind === "uniform") return `${time(delay.min)} to ${time(delay.max)}`;
  return `about ${time(delay.median)}, at most ${time(delay.max)}`;
}

function time(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

function ordinal(count: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? "th";
  return `${count}${ending}`;
}
