import * as z from "zod";
import { durationForm, durationPattern, parseDuration } from "../../base/text/duration.js";
import { namePattern, nameRule } from "../../base/text/name.js";
import { suggest } from "../../base/text/nearest.js";
import { headerNamePattern } from "../connection/header-names.js";
import { http2ErrorCodes } from "../connection/http2-error.js";
import { longestDelay } from "./defaults.js";

// The values that scenarios and configurations consist of, with messages for people.

export { text } from "../../base/yaml/values.js";

export const count = numberFrom(0);
export const positive = numberFrom(1);
export const name = z.string("give a text").regex(namePattern, nameRule);
export const headerName = z.string().regex(headerNamePattern, "give the name of a header");
/** RFC 9110 §5.5, with the octets that Node sends. */
export const headerValue = z
  .string("give a text, in quotes")
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "a header's value is one line, in Latin-1");

function numberFrom(least: number) {
  return z
    .int("give a whole number")
    .min(least, `give a number from ${least} on`)
    .max(1_000_000, "give at most a million");
}

/** A status of HTTP, from this one on. */
export function status(from: number) {
  const message = `give a status from ${from} to 599`;
  return z.int("give an HTTP status").min(from, message).max(599, message);
}

/** A key that is given, or left out. */
export const onlyTrue = z.literal(true, "give true, or leave it out");

/** For an object: the message if there is none. */
export const keys = {
  error: ({ code }: { readonly code: string }) => (code === "invalid_type" ? "give keys and values here" : undefined),
};

/** One of a few values, with a suggestion for a misspelt one. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, what: string) {
  return z.enum(values, {
    error: ({ input }) =>
      typeof input === "string"
        ? `unknown ${what} ${JSON.stringify(input.slice(0, 64))}. ${suggest(input, values)}`
        : values.length > 10
          ? `give a known ${what}, such as ${values[0]}`
          : `give one of ${values.join(", ")}`,
  });
}

/** An error code of HTTP/2 (RFC 9113 §7). */
export const http2Code = oneOf(http2ErrorCodes, "error code of HTTP/2");

/**
 * The key `when` of a fault that can act on new connections.
 * @param where in the handshake
 */
export function inHandshake(where: string) {
  return z
    .literal("handshake", "the only value is handshake")
    .describe(
      `${where}. The rule then counts new connections of all clients, acts only while the scenario is active for all, and has no conditions except \`after\` and \`for\`.`,
    )
    .optional();
}

/**
 * The same, with a description and a bound.
 * @param longest in milliseconds
 * @param otherwise what may be given instead, for the message: `, or none`
 */
export function duration(description: string, longest = longestDelay, otherwise = "") {
  const message = `give ${durationForm}${otherwise}`;
  return z
    .string(message)
    .regex(durationPattern, message)
    .refine((value) => (parseDuration(value) ?? 0) <= longest, `give at most ${longest / 1000}s`)
    .describe(description);
}

/**
 * Milliseconds. The schema has checked the text. It does not convert it: zod would leave the examples out of the JSON
 * Schema.
 */
export function milliseconds(text: string): number {
  return parseDuration(text) ?? 0;
}
