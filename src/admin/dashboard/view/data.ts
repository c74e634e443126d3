import type * as z from "zod";
import type { exchangeDetailSchema, exchangeSchema, handshakeSchema } from "../../journal-schemas.js";
import type { reportSchema } from "../../report-schema.js";
import type {
  assumptionSchema,
  clientSchema,
  clockSchema,
  identitySchema,
  mintedSchema,
  scenarioChoiceSchema,
  scenarioSummarySchema,
} from "../../schemas.js";

// What the admin API answers, by the types of its own schemas.
export type Exchange = z.output<typeof exchangeSchema>;
export type ExchangeDetail = z.output<typeof exchangeDetailSchema>;
export type Handshake = z.output<typeof handshakeSchema>;
export type Client = z.output<typeof clientSchema>;
export type Certificate = Client["certificates"][number];
export type Identity = z.output<typeof identitySchema>;
export type MintedClient = z.output<typeof mintedSchema>;
export type Clock = z.output<typeof clockSchema>;
export type Scenario = z.output<typeof scenarioSummarySchema>;
export type ScenarioChoice = z.output<typeof scenarioChoiceSchema>;
export type Assumption = z.output<typeof assumptionSchema>;
export type Report = z.output<typeof reportSchema>;
export type Check = Report["drills"][number]["checks"][number];

/** An item of `GET /journal`. Its key also stands in the address: `#/requests/r12`. */
export type JournalItem = { readonly key: string; readonly order: number } & (
  | ({ readonly kind: "request" } & Exchange)
  | ({ readonly kind: "handshake" } & Handshake)
);

/** A page of `GET /journal`. */
export interface JournalPage {
  readonly run: string;
  readonly total: number;
  readonly kept: number;
  readonly counts: Readonly<Record<"all" | "success" | "refused" | "injected" | "handshake", number>>;
  readonly items: readonly JournalItem[];
  readonly nextCursor?: string | undefined;
}

/** `GET /journal/overview`. */
export interface Overview {
  readonly from: string;
  readonly to: string;
  readonly buckets: readonly { readonly at: string; readonly requests: number; readonly failures: number }[];
  readonly groups: readonly {
    readonly code: string;
    readonly operation: string | null;
    readonly method: string;
    readonly path: string;
    readonly count: number;
    readonly newest: string;
    readonly q: string;
  }[];
  readonly clients: readonly {
    readonly client: string;
    readonly requests: number;
    readonly refusals: number;
    readonly lastSeen: string;
  }[];
}

export type ClientActivity = Overview["clients"][number];
