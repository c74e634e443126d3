import * as z from "zod";
import { assumption, assumptionIds, type ValueAssumptionId } from "../assumptions.js";
import { seedPattern } from "../scenarios/draw.js";
import { durationForm, parseDuration } from "../text/duration.js";
import { namePattern, nameRule } from "../text/name.js";
import { listSchema } from "./list-schema.js";
import { lastFirstPort } from "./settings.js";

const port = z
  .int("give a whole number")
  .min(0, "give a port from 0 to 65535")
  .max(65_535, "give a port from 0 to 65535");
const text = z.string("give a text").min(1, "give a text that is not empty");

/** A duration in the notation of people, as milliseconds. */
export const duration = z.string(`give ${durationForm}`).transform((value, context) => {
  const milliseconds = parseDuration(value);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: "custom", message: `give ${durationForm}` });
  return z.NEVER;
});

const client = z.strictObject({
  clientId: z.string("give a text").regex(namePattern, nameRule),
  certificates: z.array(text, "give a list of PEM files").min(1, "name at least one PEM file"),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "a scope has no spaces or quotation marks"))
    .default(["read"]),
  grantTypes: z.array(text).default(["client_credentials"]),
});

const override = z.strictObject({
  status: z
    .int("give an HTTP status")
    .min(400, "give a status from 400 to 599")
    .max(599, "give a status from 400 to 599")
    .optional(),
  code: text.optional(),
  message: text.optional(),
});

/** A correlation ID under one of these names would break the answer, or every request. */
const headersInUse = new Set([
  "allow",
  "authorization",
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "date",
  "expect",
  "host",
  "keep-alive",
  "pragma",
  "retry-after",
  "sandbox-assumed",
  "sandbox-fault",
  "sandbox-replay",
  "sandbox-scenario",
  "transfer-encoding",
  "upgrade",
  "www-authenticate",
]);

const pattern = text.refine(isPattern, "give uuid, or a regular expression");

/** The schema of each assumption that has a value of its own. */
const values = {
  "token.error-body": z.enum(["both", "service", "oauth"]),
  "token.format": z.strictObject({
    issuer: text.default("https://sandbox"),
    audience: text.default("business-payments-sandbox"),
  }),
  "token.lifetime": z
    .int("give whole seconds")
    .min(1, "give at least 1 second")
    .max(31_536_000, "give at most a year, in seconds"),
  "token.cache-headers": z.boolean("give true or false"),
  "certificate.validity": z.boolean("give true or false"),
  "certificate.usage": z.boolean("give true or false"),
  "correlation.header": text
    .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "give the name of a header")
    .refine((name) => !headersInUse.has(name.toLowerCase()), "this header has a meaning of its own"),
  "correlation.format": pattern,
  "correlation.required": z.boolean("give true or false"),
  "ping.response": z.strictObject({
    status: z.int().min(200, "give a status from 200 to 299").max(299, "give a status from 200 to 299").default(200),
    body: z.json().default({ status: "OK" }),
  }),
} satisfies Record<ValueAssumptionId, z.ZodType>;

function assumptionsSchema() {
  const shape: Record<string, z.ZodType> = {};
  for (const id of assumptionIds) {
    const entry = assumption(id);
    if ("error" in entry) shape[id] = override.optional();
    if ("value" in entry) shape[id] = values[id as ValueAssumptionId].optional();
  }
  return z.strictObject(shape);
}

/** The schema of `sandbox.yaml`. Every key is optional; an unknown one is an error. */
export const fileSchema = z.strictObject({
  $schema: text.optional(),
  port: port.optional(),
  adminPort: port.optional(),
  defectPorts: z
    .union(
      [z.boolean(), z.int().min(0).max(lastFirstPort)],
      `give true, false, or the first of three ports, from 0 to ${lastFirstPort}`,
    )
    .optional(),
  host: text.optional(),
  adminHost: text.optional(),
  adminAuth: z.enum(["auto", "token", "none"]).optional(),
  adminToken: text.optional(),
  certs: text.optional(),
  hostCerts: text.optional(),
  publicUrl: text.optional(),
  hostnames: z.array(text).optional(),
  keyType: z.enum(["rsa", "ec"]).optional(),
  scenario: text.optional(),
  scenarios: text.optional(),
  seed: z.string("give a text").regex(seedPattern, 'use letters, digits, ".", "_" and "-", at most 64').optional(),
  log: z.enum(["none", "refusals", "requests"]).optional(),
  logFormat: z.enum(["text", "json"]).optional(),
  report: z.enum(["on", "off"]).optional(),
  journal: z
    .strictObject({
      requests: z.int("give a whole number").min(1).max(1_000_000).optional(),
      bytes: z.int("give a whole number of bytes").min(100_000).max(8_000_000_000).optional(),
      handshakes: z.int("give a whole number").min(1).max(1_000_000).optional(),
    })
    .optional(),
  tls: z
    .strictObject({
      clientCertificate: z.enum(["request", "require"]).default("request"),
      clientCa: z.array(text, "give a list of PEM files").default([]),
    })
    .optional(),
  clients: z.array(client).optional(),
  lists: z
    .record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "a list's name has letters, digits, - and _"),
      listSchema(duration),
    )
    .optional(),
  assumptions: assumptionsSchema().optional(),
  assumedHeader: z.boolean("give true or false").optional(),
});

export type FileShape = z.output<typeof fileSchema>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
