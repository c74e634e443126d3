import { namePattern } from "../base/text/name.js";
import { answerEnders, connectionEnds } from "../sandbox/connection/connection-facts.js";
import { operationNames } from "../sandbox/operations.js";
import { formatVersion, kindOfRun } from "./format.js";
import {
  anything,
  count,
  either,
  flag,
  instant,
  listOf,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pairOf,
  text,
  textsByName,
} from "./forms.js";

// The files may come from anywhere. What has another form than the one that `RunKeeper` writes is not shown.

const texts = listOf(text);
const name = matching(namePattern);

/** Names and values in turn. */
const headers = (value: unknown): value is readonly string[] => texts(value) && value.length % 2 === 0;

/** What `run.json` has. */
export const isRunFacts = object({
  kind: oneOf(kindOfRun),
  format: oneOf(formatVersion),
  version: text,
  run: text,
  begunAt: instant,
  url: (value): value is string => text(value) && value.startsWith("https://") && URL.canParse(value),
  seed: text,
  scenario: optional(text),
  isJudged: flag,
  basePath: text,
  tlsMaxVersion: oneOf("1.2", "1.3"),
  lists: anything,
  assumptions: anything,
});

const certificate = object({
  thumbprint: text,
  subject: text,
  issuer: text,
  serialNumber: text,
  notBefore: instant,
  notAfter: instant,
  clientUsage: flag,
});

const peer = either(
  object({ kind: oneOf("none") }),
  object({ kind: oneOf("certificate"), certificate, chain: oneOf("trusted", "untrusted"), chainReason: text }),
);

const defect = object({ defect: text, chosenBy: text });
const presented = object({ thumbprint: text, renewal: optional(anything) });
const end = optional(oneOf(...connectionEnds));

const goaway = optional(object({ code: text, lastStream: count }));

const connection = object({
  id: count,
  remoteAddress: text,
  remotePort: count,
  serverName: optional(text),
  protocol: text,
  cipher: text,
  httpVersion: oneOf("HTTP/1.1", "HTTP/2"),
  serverDefect: optional(defect),
  serverCertificate: optional(presented),
  namesCas: optional(flag),
  begunAt: number,
  end,
  goaway,
});

const exchange = object({
  peer,
  method: text,
  target: text,
  rawHeaders: headers,
  now: instant,
  receivedAt: instant,
  client: optional(texts),
  holder: optional(texts),
  operation: optional(oneOf(...operationNames)),
  list: optional(text),
  tokenRole: optional(oneOf("first", "renewal")),
  token: optional(
    object({ clientId: text, scopes: texts, thumbprint: text, issuedAt: instant, expiresAt: instant, id: text }),
  ),
  correlationId: text,
  steps: optional(number),
  stepsPassed: count,
  fault: optional(
    object({
      key: object({ seed: text, scenario: text, rule: text, count }),
      rule: object({ name: text, words: text, idle: optional(text), needsBody: optional(flag) }),
    }),
  ),
  injected: optional(text),
  refusal: optional(object({ code: text, reason: anything, message: text, basis: text, ignoredParameter: flag })),
  form: optional(listOf(pairOf(text, listOf(nullable(text))))),
  listQuery: optional(anything),
  unknownParameters: texts,
  status: count,
  code: optional(text),
  isExpected: flag,
  answerHeaders: optional(textsByName),
  sentHeaders: optional(headers),
  isByScenario: flag,
  page: optional(
    object({
      rows: count,
      cursor: optional(text),
      hasLink: optional(flag),
      moves: optional(flag),
      losesFilters: optional(flag),
    }),
  ),
  answerLength: count,
  keptCharacters: count,
  renewal: optional(object({ replaces: flag, overlap: optional(number), filesHeld: optional(flag) })),
  connection: optional(connection),
  stream: optional(count),
  epoch: count,
  delivered: optional(flag),
  sent: optional(count),
  reset: optional(text),
  sending: optional(number),
  unprocessed: optional(oneOf("connection-ended", "stream-reset")),
  endedBy: optional(oneOf(...answerEnders)),
  wholeBody: optional(text),
  duration: number,
  claims: optional(object({ clientId: optional(text), id: optional(text) })),
});

/** A request that is over. */
export const isRequestLine = object({ request: count, order: count, exchange });

/** What the judges get of the request before. */
export const isObservedLine = object({ observed: anything });

/** How the texts of these two begin: most readers need only one of them. */
export const requestBeginning = '{"request":';
export const observedBeginning = '{"observed":';

/** A failed handshake, or a connection without a request. */
export const isHandshakeLine = object({
  handshake: count,
  order: count,
  record: object({
    at: instant,
    cause: text,
    code: optional(text),
    alert: optional(text),
    reason: text,
    versions: optional(anything),
    connection: optional(count),
    end,
    remoteAddress: text,
    remotePort: count,
    serverName: optional(text),
    protocol: optional(text),
    serverDefect: optional(defect),
    serverCertificate: optional(presented),
    certificate: optional(object({ subject: text, thumbprint: text, notBefore: instant, notAfter: instant })),
    registration: optional(text),
  }),
});

/** The report on a client, or on all, started again. */
export const isResetLine = object({ reset: nullable(text) });

/** How the connection of earlier lines ended. */
export const isConnectionLine = object({ connection: count, end, goaway });

/** How many entries are in the files before this one. */
export const isHeadLine = object({ before: object({ requests: count, handshakes: count }) });

const clock = object({
  setting: either(
    object({ mode: oneOf("real") }),
    object({ mode: oneOf("offset"), offset: number }),
    object({ mode: oneOf("frozen"), at: instant }),
  ),
  changes: count,
});

const identities = listOf(
  object({
    name: text,
    kind: oneOf("client", "misfit"),
    purpose: text,
    folder: optional(text),
    clientId: text,
    certPem: text,
    thumbprint: text,
  }),
);

const certificateEnd = object({
  at: instant,
  how: oneOf("renewed", "expired", "revoked"),
  since: instant,
  by: optional(text),
  filesHeld: optional(flag),
});

const registered = object({
  thumbprint: text,
  subject: text,
  serialNumber: text,
  notBefore: instant,
  notAfter: instant,
  pem: text,
});

/** A client as it is from then on. */
export const isClientLine = object({
  client: name,
  record: optional(
    object({
      id: name,
      registration: matching(/^\d{1,15} /),
      thumbprints: texts,
      certificates: listOf(registered),
      ends: listOf(pairOf(text, certificateEnd)),
      scopes: texts,
      grantTypes: texts,
      seed: text,
    }),
  ),
  clock: optional(clock),
  scenario: optional(nullable(text)),
  expected: optional(texts),
  identities: optional(identities),
});

/** The text of a scenario. */
export const isScenarioLine = object({ scenario: name, text });

/** The standing identities. */
export const isIdentitiesLine = object({ identities });

/** What holds for all clients. */
export const isSandboxLine = object({ sandbox: object({ clock, scenario: optional(text) }) });
