import { randomUUID } from "node:crypto";
import type { AssumptionSettings } from "../assumptions.js";
import { readHeader, repeated } from "../connection/raw-headers.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A longer value is refused before it is matched, so that a configured pattern only runs over a bounded text. */
export const longestCorrelationId = 256;

/** What is wrong with a correlation ID, in words for the journal, and the assumption by which it is wrong. */
interface CorrelationProblem {
  readonly basis: "correlation.header" | "correlation.format" | "correlation.required";
  readonly reason: string;
}

/** The rule for correlation IDs (§7 rule 3): name and format of the header are assumptions. */
export class CorrelationRule {
  readonly required: boolean;
  /** What a correlation ID has to be, such as "a UUID". */
  readonly formatName: string;
  readonly #header: string;
  readonly #format: RegExp;

  constructor({ values }: AssumptionSettings) {
    this.#header = values["correlation.header"].toLowerCase();
    this.required = values["correlation.required"];
    const format = values["correlation.format"];
    this.#format = format === "uuid" ? uuid : new RegExp(`^(?:${format})$`, "u");
    this.formatName = format === "uuid" ? "a UUID" : `a match of ${format}`;
  }

  /** The correlation ID of the answer: the client's if it is valid, otherwise a new one. An invalid value is never echoed. */
  idFor(rawHeaders: readonly string[]): string {
    const value = readHeader(rawHeaders, this.#header);
    return typeof value === "string" && this.#problemOf(value) === undefined ? value : randomUUID();
  }

  /** What is wrong with the correlation ID of a request; undefined if nothing is wrong. */
  problemIn(rawHeaders: readonly string[]): CorrelationProblem | undefined {
    const value = readHeader(rawHeaders, this.#header);
    if (value === undefined) {
      return this.required ? { basis: "correlation.required", reason: "it is missing" } : undefined;
    }
    if (value === repeated) return { basis: "correlation.header", reason: "it was sent more than once" };
    const reason = this.#problemOf(value);
    return reason === undefined ? undefined : { basis: "correlation.format", reason };
  }

  #problemOf(value: string): string | undefined {
    if (value.length > longestCorrelationId) return `it is longer than ${longestCorrelationId} characters`;
    return this.#format.test(value) ? undefined : `it is not ${this.formatName}`;
  }
}
