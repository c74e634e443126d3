import type * as z from "zod";
import type {
  exchangeDetailSchema,
  exchangeSchema,
  handshakeSchema,
  journalItemSchema,
  journalPageSchema,
  missingSchema,
  overviewSchema,
} from "../../journal-schemas.js";
import type { reportSchema } from "../../report-schema.js";
import type {
  assumptionSchema,
  clientSchema,
  clockSchema,
  identitySchema,
  mintedSchema,
  rotatedSchema,
  scenarioChoiceSchema,
  scenarioSummarySchema,
} from "../../schemas.js";

// The answers of the admin API, by the types of its own schemas.
export type Exchange = z.output<typeof exchangeSchema>;
export type ExchangeDetail = z.output<typeof exchangeDetailSchema>;
export type Handshake = z.output<typeof handshakeSchema>;
export type Client = z.output<typeof clientSchema>;
export type Certificate = Client["certificates"][number];
export type Identity = z.output<typeof identitySchema>;
export type MintedClient = z.output<typeof mintedSchema>;
export type RotatedClient = z.output<typeof rotatedSchema>;
export type Clock = z.output<typeof clockSchema>;
export type Scenario = z.output<typeof scenarioSummarySchema>;
export type ScenarioChoice = z.output<typeof scenarioChoiceSchema>;
export type Assumption = z.output<typeof assumptionSchema>;
export type Report = z.output<typeof reportSchema>;
export type Check = Report["drills"][number]["checks"][number];

/** An item of `GET /journal`. Its key is also in the address: `#/requests/r12`. */
export type JournalItem = z.output<typeof journalItemSchema>;
export type JournalPage = z.output<typeof journalPageSchema>;
/** Evidence that the journal no longer has. */
export type Missing = z.output<typeof missingSchema>;
export type Overview = z.output<typeof overviewSchema>;
/** What the journal knows about a client. */
export type ClientActivity = Overview["clients"][number];
