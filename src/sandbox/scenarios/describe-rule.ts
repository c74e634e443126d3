import { enumerated } from "../../base/text/enumerated.js";
import { quote } from "../../base/text/printable.js";
import type { Condition, NamedValues, WantedValue } from "./condition.js";
import { type Expectation, needs } from "./expectation.js";
import { actsOnHandshake } from "./fault.js";
import type { Rule } from "./rule.js";
import { time } from "./words.js";

/** What a rule does, in one sentence for people. */
export function describeRule(rule: Rule): string {
  const parts = [who(rule), ...counting(rule)].filter((part) => part !== "");
  return `${parts.join(", ")}: ${rule.words}.`;
}

/** What a correct client does, in sentences for people. */
export function describeExpectation({ outcome, checks, exercises, needs: needed, requests }: Expectation): string {
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
    exercises.length > 0 ? `The drill needs ${enumerated(exercises, "or")} to be exercised.` : "",
    needed.length > 0
      ? `The drill needs a program that sends ${enumerated(
          needed.map((need) => needs[need]),
          "and",
        )}.`
      : "",
    bounds.length > 0 ? `Requests that it sends: ${bounds.join("; ")}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function who({ when, faults }: Rule): string {
  if (actsOnHandshake(faults)) return ["every new connection", ...windowOf(when)].join(", ");
  const { operations, method, http, list, page, cursor, client, certificate, attempt } = when;
  const subject = page !== undefined ? `page ${page}` : operations ? enumerated(operations, "or") : "every request";
  return [
    method === undefined ? subject : `${subject} by ${method}`,
    http === undefined ? "" : `over HTTP/${http === 1 ? "1.1" : "2"}`,
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

function ordinal(count: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? "th";
  return `${count}${ending}`;
}
