import { randomUUID } from "node:crypto";
import type { AssumptionSettings, RefusalAssumptionId } from "../assumptions.js";
import { readHeader, repeated } from "../connection/raw-headers.js";
import { Refusal } from "../journal/refusal.js";
import type { Step } from "./service.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A longer value is refused before it is matched, so that a configured pattern only runs over a bounded text. */
export const longestCorrelationId = 256;

/** The rule for correlation IDs (§7 rule 3): name and format of the header are assumptions. */
export class CorrelationRule {
  readonly #header: string;
  readonly #required: boolean;
  /** What a correlation ID has to be, such as "a UUID". */
  readonly #formatName: string;
  readonly #hasFormat: (value: string) => boolean;

  private constructor({ values }: AssumptionSettings, hasFormat: (value: string) => boolean) {
    this.#header = values["correlation.header"].toLowerCase();
    this.#required = values["correlation.required"];
    const format = values["correlation.format"];
    this.#hasFormat = hasFormat;
    this.#formatName = format === "uuid" ? "a UUID" : `a match of ${format}`;
  }

  /**
   * @throws RegularExpressionError if the format cannot be matched in linear time; the configuration has been checked
   *   for that
   */
  static async open(settings: AssumptionSettings): Promise<CorrelationRule> {
    const format = settings.values["correlation.format"];
    if (format === "uuid") return new CorrelationRule(settings, (value) => uuid.test(value));
    const { linearPattern } = await import("../../base/text/linear-pattern.js");
    return new CorrelationRule(settings, linearPattern(format));
  }

  /**
   * The correlation ID of the answer: the client's if it is valid, otherwise a new one. An invalid value is never
   * echoed.
   */
  idFor(rawHeaders: readonly string[]): string {
    const value = readHeader(rawHeaders, this.#header);
    return typeof value === "string" && this.#problemOf(value) === undefined ? value : randomUUID();
  }

  /**
   * The refusal of a request for its correlation ID (§7 INVALID_CORRELATION_ID); undefined if nothing is wrong with it.
   */
  refusalFor(rawHeaders: readonly string[]): Refusal | undefined {
    const value = readHeader(rawHeaders, this.#header);
    if (value === undefined) {
      return this.#required ? this.#refusal("correlation.required", "it is missing") : undefined;
    }
    if (value === repeated) return this.#refusal("correlation.header", "it was sent more than once");
    const reason = this.#problemOf(value);
    return reason === undefined ? undefined : this.#refusal("correlation.format", reason);
  }

  #problemOf(value: string): string | undefined {
    if (value.length > longestCorrelationId) return `it is longer than ${longestCorrelationId} characters`;
    return this.#hasFormat(value) ? undefined : `it is not ${this.#formatName}`;
  }

  #refusal(basis: RefusalAssumptionId, reason: string): Refusal {
    return new Refusal(basis, { kind: "correlation-id", reason, format: this.#formatName, required: this.#required });
  }
}

/** §7 INVALID_CORRELATION_ID. */
export const correlationStep: Step = {
  name: "correlation-id",
  section: "7 rule 3",
  checks: "the correlation ID, where one is sent, has the required format",
  refuses: ["correlation.header", "correlation.format", "correlation.required"],
  run({ service, exchange }) {
    const refusal = service.correlation.refusalFor(exchange.rawHeaders);
    if (refusal) throw refusal;
  },
};
