import * as z from "zod";
import { answerEnders, connectionEnds } from "../sandbox/connection/connection-facts.js";
import { namePattern } from "../base/text/name.js";
import { operationNames } from "../sandbox/operations.js";
import { formatVersion, kindOfRun } from "./format.js";

// The files may come from anywhere: what has another form than the one that `RunKeeper` writes is not shown. Members
// that are not named here are left out.

/** In milliseconds since the epoch: a date of JavaScript. */
const instant = z.number().min(-8.64e15).max(8.64e15);
const count = z.int().min(0);
const text = z.string();
const texts = z.array(text);
const name = text.regex(namePattern);
/** What is shown as it is: texts, numbers, lists and objects, of limited depth. */
const facts = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && isShallow(value, 8),
);

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, "__proto__")) return false;
  return Object.values(value).every((each) => isShallow(each, depth - 1));
}

export const factsSchema = z.object({
  kind: z.literal(kindOfRun),
  format: z.literal(formatVersion),
  version: text,
  run: text,
  begunAt: instant,
  url: z.url(),
  seed: text,
  scenario: text.optional(),
  isJudged: z.boolean(),
  basePath: text,
  tlsMaxVersion: z.enum(["1.2", "1.3"]),
  lists: facts,
  assumptions: facts,
});

const certificate = z.object({
  thumbprint: text,
  subject: text,
  issuer: text,
  serialNumber: text,
  notBefore: instant,
  notAfter: instant,
  clientUsage: z.boolean(),
});

const peer = z.union([
  z.object({ kind: z.literal("none") }),
  z.object({
    kind: z.literal("certificate"),
    certificate,
    chain: z.enum(["trusted", "untrusted"]),
    chainReason: text,
  }),
]);

const defect = z.object({ defect: text, chosenBy: text });
const presented = z.object({ thumbprint: text, renewal: facts.optional() });
const end = z.enum(connectionEnds);

const connection = z.object({
  id: count,
  remoteAddress: text,
  remotePort: count,
  serverName: text.optional(),
  protocol: text,
  cipher: text,
  httpVersion: z.enum(["HTTP/1.1", "HTTP/2"]),
  serverDefect: defect.optional(),
  serverCertificate: presented.optional(),
  namesCas: z.boolean().optional(),
  begunAt: z.number(),
  end: end.optional(),
  goaway: z.object({ code: text, lastStream: count }).optional(),
});

const form = z.array(z.tuple([text, z.array(text.nullable())]));

const exchange = z.object({
  peer,
  method: text,
  target: text,
  rawHeaders: texts.refine(({ length }) => length % 2 === 0),
  now: instant,
  receivedAt: instant,
  client: texts.optional(),
  holder: texts.optional(),
  operation: z.enum(operationNames).optional(),
  list: text.optional(),
  tokenRole: z.enum(["first", "renewal"]).optional(),
  token: z
    .object({ clientId: text, scopes: texts, thumbprint: text, issuedAt: instant, expiresAt: instant, id: text })
    .optional(),
  correlationId: text,
  steps: z.int().optional(),
  stepsPassed: count,
  fault: z
    .object({
      key: z.object({ seed: text, scenario: text, rule: text, count }),
      rule: z.object({ name: text, words: text, idle: text.optional(), needsBody: z.boolean().optional() }),
    })
    .optional(),
  injected: text.optional(),
  refusal: z
    .object({ code: text, reason: facts, message: text, basis: text, ignoredParameter: z.boolean() })
    .optional(),
  form: form.optional(),
  listQuery: facts.optional(),
  unknownParameters: texts,
  status: count,
  code: text.optional(),
  isExpected: z.boolean(),
  answerHeaders: z.record(text, text).optional(),
  sentHeaders: texts.refine(({ length }) => length % 2 === 0).optional(),
  isByScenario: z.boolean(),
  page: z
    .object({
      rows: count,
      cursor: text.optional(),
      hasLink: z.boolean().optional(),
      moves: z.boolean().optional(),
      losesFilters: z.boolean().optional(),
    })
    .optional(),
  answerLength: count,
  keptCharacters: count,
  renewal: z
    .object({ replaces: z.boolean(), overlap: z.number().optional(), filesHeld: z.boolean().optional() })
    .optional(),
  connection: connection.optional(),
  stream: count.optional(),
  epoch: count,
  delivered: z.boolean().optional(),
  sent: count.optional(),
  reset: text.optional(),
  sending: z.number().optional(),
  unprocessed: z.enum(["connection-ended", "stream-reset"]).optional(),
  endedBy: z.enum(answerEnders).optional(),
  wholeBody: text.optional(),
  duration: z.number().min(0),
  claims: z.object({ clientId: text.optional(), id: text.optional() }).optional(),
});

const handshake = z.object({
  at: instant,
  cause: text,
  code: text.optional(),
  alert: text.optional(),
  reason: text,
  versions: facts.optional(),
  connection: count.optional(),
  end: end.optional(),
  remoteAddress: text,
  remotePort: count,
  serverName: text.optional(),
  protocol: text.optional(),
  serverDefect: defect.optional(),
  serverCertificate: presented.optional(),
  certificate: certificate.pick({ subject: true, thumbprint: true, notBefore: true, notAfter: true }).optional(),
  registration: text.optional(),
});

/** A line of a file of requests. */
export const requestLineSchema = z.union([
  z.object({ request: count.min(1), order: count.min(1), exchange, observed: facts.optional() }),
  z.object({ handshake: count.min(1), order: count.min(1), record: handshake }),
  z.object({ reset: text.nullable() }),
  z.object({ before: z.object({ requests: count, handshakes: count }) }),
]);

export type RequestLine = z.output<typeof requestLineSchema>;

const clock = z.object({
  setting: z.union([
    z.object({ mode: z.literal("real") }),
    z.object({ mode: z.literal("offset"), offset: z.number() }),
    z.object({ mode: z.literal("frozen"), at: instant }),
  ]),
  changes: count,
});

const identities = z.array(
  z.object({
    name: text,
    kind: z.enum(["client", "misfit"]),
    purpose: text,
    folder: text.optional(),
    clientId: text,
    certPem: text,
    thumbprint: text,
  }),
);

/** A line of the file of the state. */
export const stateLineSchema = z.union([
  z.object({
    client: name,
    record: z
      .object({
        id: name,
        registration: text.regex(/^\d{1,15} /),
        thumbprints: texts,
        certificates: z.array(
          certificate
            .pick({ thumbprint: true, subject: true, serialNumber: true, notBefore: true, notAfter: true })
            .extend({ pem: text }),
        ),
        ends: z.array(
          z.tuple([
            text,
            z.object({
              at: instant,
              how: z.enum(["renewed", "expired", "revoked"]),
              since: instant,
              by: text.optional(),
              filesHeld: z.boolean().optional(),
            }),
          ]),
        ),
        scopes: texts,
        grantTypes: texts,
        seed: text,
      })
      .optional(),
    clock: clock.optional(),
    scenario: text.nullable().optional(),
    expected: texts.optional(),
    identities: identities.optional(),
  }),
  z.object({ scenario: name, text }),
  z.object({ identities }),
  z.object({ sandbox: z.object({ clock, scenario: text.optional() }) }),
]);

export type ReadStateLine = z.output<typeof stateLineSchema>;
