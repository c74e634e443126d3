import * as z from "zod";
import { durationForm, parseDuration } from "../base/text/duration.js";
import { namePattern, nameRule } from "../base/text/name.js";
import { tlsVersions } from "../sandbox/connection/tls-version.js";
import { certificateLifetimes } from "../sandbox/scenarios/defaults.js";

export const clientId = z.string("give a text").regex(namePattern, nameRule);
/** The parameter of a call about a client. */
export const ofClient = z.object({ id: clientId });
/** The parameters of a call about a certificate of a client. */
export const ofCertificate = ofClient.extend({
  thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "give a thumbprint: 43 characters of base64url"),
});
export const scenarioName = z.string("give a text").regex(namePattern, nameRule);
/** Milliseconds since the epoch. */
export const instant = z.iso
  .datetime({ offset: true, error: "give an RFC 3339 date-time, such as 2027-01-31T12:00:00Z" })
  .transform((text) => Date.parse(text));
export const nullableText = z.string().nullable();

/** Most codes of errors that a client says it provokes on purpose, at a time. */
export const mostExpected = 20;
/** The form of each: any code that a scenario may send. */
export const expectedCode = "[A-Za-z0-9_.-]{1,64}";
const expectedRule = 'use letters, digits, ".", "_" and "-", at most 64';

/** Codes of errors that a client provokes on purpose. */
export const expectedCodes = z
  .array(z.string("give a text").regex(new RegExp(`^${expectedCode}$`), expectedRule), "give a list of error codes")
  .max(mostExpected, `give at most ${mostExpected} error codes`)
  .describe("Codes of errors that it provokes on purpose: they fail no check.");

/** A duration that may be negative, in milliseconds: `301s`, `-5m`. */
export const signedDuration = z
  .string(`give ${durationForm}`)
  .refine(
    (text) => signedMilliseconds(text) !== undefined,
    `give ${durationForm}; a minus before it turns the clock back`,
  )
  .transform((text) => signedMilliseconds(text) as number);

const lifetimeForm = 'give a duration from "1s" to "398d", such as "90s" or "90d"';

/** How long a certificate is valid, in milliseconds. */
export const certificateLifetime = z
  .string(lifetimeForm)
  .refine((text) => {
    const milliseconds = parseDuration(text) ?? 0;
    return milliseconds >= certificateLifetimes.shortest && milliseconds <= certificateLifetimes.longest;
  }, lifetimeForm)
  .transform((text) => parseDuration(text) as number);

/** @returns milliseconds, or undefined when the text is not a duration */
function signedMilliseconds(text: string): number | undefined {
  const milliseconds = parseDuration(text.replace(/^[+-]/, ""));
  return milliseconds === undefined ? undefined : text.startsWith("-") ? -milliseconds : milliseconds;
}

export const errorSchema = z.object({ message: z.string(), code: z.string() }).meta({ id: "Error" });

/** A whole number in a query. */
export function wholeNumber(form: RegExp, rule: string) {
  return z.string().regex(form, rule).transform(Number);
}

/** The state of the sandbox. `GET /health` answers with it before the routes are loaded. */
export const healthSchema = z
  .object({
    status: z
      .enum(["ok", "starting", "failed", "unavailable"])
      .describe("`unavailable`: the shared state cannot be reached."),
    reason: z.string().optional(),
    identities: z.enum(["ready", "pending", "failed"]),
    version: z.string(),
    uptime: z.number().describe("Seconds."),
    ports: z.object({ api: z.int(), admin: z.int() }),
    tls: z
      .object({ minVersion: z.enum(tlsVersions), maxVersion: z.enum(tlsVersions) })
      .describe("The versions of TLS that the API accepts."),
  })
  .meta({ id: "Health" });

/** The state of the sandbox, for `GET /health`. */
export type Health = Readonly<z.output<typeof healthSchema>>;

/** A page of a list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().optional() });
}
