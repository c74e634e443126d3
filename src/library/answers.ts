import type * as z from "zod";
import type { exchangeDetailSchema, exchangeSchema, handshakeSchema } from "../admin/journal-schemas.js";
import type { reportSchema } from "../admin/report-schema.js";
import type {
  assumptionSchema,
  clientSchema,
  clockSchema,
  healthSchema,
  mintedSchema,
  nextCaSchema,
  rotatedSchema,
  scenarioChoiceSchema,
  scenarioSummarySchema,
  serverCertificateSchema,
} from "../admin/schemas.js";
import type { Frozen } from "../base/frozen.js";

// The package has no dependencies: in its declarations, scripts/package-types.ts writes these types out.

type Answer<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

/** `GET /health`. */
export type Health = Answer<typeof healthSchema>;

/** A clock as it is now. */
export type ClockState = Answer<typeof clockSchema>;

/** A client as the sandbox knows it. */
export type ClientInfo = Answer<typeof clientSchema>;

/** A certificate that is registered for a client. */
export type RegisteredCertificate = ClientInfo["certificates"][number];

/** A client, or a certificate, that was made. */
export type MintedClient = Answer<typeof mintedSchema>;

/** A certificate that replaces another one. */
export type RotatedClient = Answer<typeof rotatedSchema>;

/** The scenario that is active. */
export type ActiveScenario = Answer<typeof scenarioChoiceSchema>;

/** A scenario that can be chosen. */
export type ScenarioSummary = Answer<typeof scenarioSummarySchema>;

/** One request and its answer. */
export type Exchange = Answer<typeof exchangeSchema>;

/** One exchange with everything that is known about it. */
export type ExchangeDetail = Answer<typeof exchangeDetailSchema>;

/** A failed handshake, or a connection that was closed without a request. */
export type Handshake = Answer<typeof handshakeSchema>;

/** A point that the interface leaves open, and what the sandbox does there. */
export type Assumption = Answer<typeof assumptionSchema>;

/** Whether clients are correct: the verdict of every check. */
export type Report = Answer<typeof reportSchema>;

/** One check of a report: docs/admin-api.md, GET /report. */
export type CheckResult = Report["drills"][number]["checks"][number];

/** A check that was not exercised never counts as passed. */
export type Verdict = CheckResult["verdict"];

/** The certificate that the server shows. */
export type ServerCertificate = Answer<typeof serverCertificateSchema>;

/** The roots that clients trust once the next CA is announced. */
export type NextCa = Answer<typeof nextCaSchema>;
