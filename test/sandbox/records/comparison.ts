import { expect } from "vitest";
import { redactHeaders, redactText } from "../../../src/sandbox/journal/redact.js";
import type { Came } from "./flights.js";

// What a client received, and what the records say of it.

/** What the journal has of a request. */
// biome-ignore lint/suspicious/noExplicitAny: the admin client checks its shape
export type Entry = any;

/** Headers of an answer that its server adds (RFC 9110 §6.6.1, RFC 9112 §6 and §9.6). */
const ofServer = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding", ":status"]);

function sorted(pairs: readonly (readonly [string, string])[]) {
  return redactHeaders(pairs.flat())
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ofServer.has(name))
    .sort();
}

export function codeIn({ body, isWhole }: Came): string | null {
  if (!isWhole) return null;
  try {
    const { code } = JSON.parse(body.toString());
    return typeof code === "string" ? code : null;
  } catch {
    return null;
  }
}

/** @param isHead whether the answer was that of GET without its body (RFC 9110 §9.3.2) */
export function expectSame(came: Came, entry: Entry, isHead: boolean): void {
  const { answer } = entry;
  const isNothing = came.status === 0;
  expect(entry.delivered, "delivered").toBe(came.isWhole);
  // Of an answer that a fault of another stream cuts off, Node does not say how much has left: null.
  const isUnknown = answer.sent === null && !came.isWhole && entry.fault === null && entry.status > 0;
  if (!isUnknown) expect(answer.sent, "bytes of the body").toBe(came.body.length);
  // With a RST of TCP, the systems drop what the client has not read, frames included.
  const mayBeLost = entry.connection.end === "server-reset" && came.reset === undefined;
  if (!mayBeLost) expect(answer.reset, "RST_STREAM").toBe(came.reset ?? null);
  if (isNothing) {
    expect(entry.explanation).toMatch(/No answer was given|before the whole answer was sent/);
    if (entry.status === 0) expect(entry.code).toBeNull();
  } else {
    expect(entry.status).toBe(came.status);
    expect(sorted(Object.entries(came.headers)), "headers").toEqual(sorted(answer.headers));
    expect(entry.explanation).not.toMatch(/No answer was given/);
    const announced = came.headers["content-length"];
    const [, recorded] = answer.headers.find(([name]: [string]) => name.toLowerCase() === "content-length") ?? [];
    // The record of an answer that a rule gives has the headers of the rule, and no length.
    if (announced !== undefined) expect(recorded ?? String(answer.length), "announced length").toBe(announced);
    else expect(recorded, "announced length").toBeUndefined();
    const [, date] = answer.headers.find(([name]: [string]) => name === "Date") ?? [];
    if (date !== undefined) expect(came.headers["date"]).toBe(date);
    // RFC 9112 §6.1, RFC 9110 §8.6.
    const framing = [came.headers["content-length"], came.headers["transfer-encoding"]];
    if (came.status === 204 || came.status === 304) expect(framing).toEqual([undefined, undefined]);
  }
  if (came.isWhole) {
    if (isHead) expect(came.body).toHaveLength(0);
    else {
      expect(entry.code, "code").toBe(codeIn(came));
      expect(redactText(came.body.toString()), "body").toBe(answer.body);
      expect(answer.length).toBe(came.body.length);
    }
    // A fault that divides or cuts the body has nothing to do without one.
    if (/the body a piece|of the body/.test(entry.explanation) && came.body.length === 0)
      expect(entry.explanation).toContain("The answer has no body");
    expect(entry.explanation).not.toMatch(/before the whole answer was sent/);
  } else if (entry.fault === null) {
    expect(entry.explanation).toMatch(/No answer was given|before the whole answer was sent/);
  }
  expect(/The rule .* acted/.test(entry.explanation)).toBe(entry.fault !== null);
}

/** @param length of the whole body, in bytes */
export function expectHar(came: Came, length: number, { response, _sandbox }: Entry): void {
  if (came.status > 0) expect([response.status, response.statusText]).toEqual([came.status, came.reason]);
  const isUnknown = response.bodySize === -1 && !came.isWhole;
  if (!isUnknown) expect([response.content.size, response.bodySize]).toEqual([came.body.length, came.body.length]);
  expect(_sandbox.delivered).toBe(came.isWhole);
  // The whole body can come in an answer that is not whole: a length that is too large was announced.
  const isAll = came.body.length === length && (came.isWhole || length > 0);
  if (isAll) expect(response.content.text).toBe(redactText(came.body.toString()));
  else expect(response.content.text).toBeUndefined();
}
