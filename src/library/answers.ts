import type { Answer, Item } from "../admin/call-types.js";

// The package has no dependencies: in its declarations, scripts/package-types.ts writes these types out.

/** `GET /health`. */
export type Health = Answer<"GET /health">;

/** A clock as it is now. */
export type ClockState = Answer<"GET /clock">;

/** A client as the sandbox knows it. */
export type ClientInfo = Answer<"GET /clients/{id}">;

/** A certificate that is registered for a client. */
export type RegisteredCertificate = ClientInfo["certificates"][number];

/** A client, or a certificate, that was made. */
export type MintedClient = Answer<"POST /clients">;

/** The scenario that is active. */
export type ActiveScenario = Answer<"PUT /scenario">;

/** The same, with how often its rules matched and acted. */
export type CountedScenario = Answer<"GET /scenario">;

/** A scenario that can be chosen. */
export type ScenarioSummary = Item<"GET /scenarios">;

/** One request and its answer. */
export type Exchange = Item<"GET /requests">;

/** One exchange with everything that is known about it. */
export type ExchangeDetail = Answer<"GET /requests/{id}">;

/** A failed handshake, or a connection that was closed without a request. */
export type Handshake = Item<"GET /handshakes">;

/** A point that the interface leaves open, and what the sandbox does there. */
export type Assumption = Item<"GET /assumptions">;

/** Whether clients are correct: the verdict of every check. */
export type Report = Answer<"GET /report">;

/** One check of a report: docs/reference/admin-api.md, CheckResult. */
export type CheckResult = Report["drills"][number]["checks"][number];

/** A check that was not exercised never counts as passed. */
export type Verdict = CheckResult["verdict"];

/** The certificate that the server shows. */
export type ServerCertificate = Answer<"GET /server/certificate">;

/** The roots that clients trust once the next CA is announced. */
export type NextCa = Answer<"POST /server/next-ca">;
