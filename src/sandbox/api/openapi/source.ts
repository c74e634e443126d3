import type { AssumptionId, AssumptionSettings } from "../../assumptions.js";

/** A piece of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** What several operations share. `OpenApiWriter.component` fills it while they are described. */
export type Components = Readonly<Record<"schemas" | "responses" | "parameters" | "headers", Record<string, Json>>>;

/**
 * What an operation describes itself with: the settings in force, and how parts of the document are made. It is passed,
 * and not imported, because a start loads the operations, but not the document.
 */
export interface OpenApiWriter {
  /** The id of the operation, such as `listPayments`. */
  readonly id: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly assumptions: AssumptionSettings;
  /** Stores a component, and returns the reference to it. */
  readonly component: (kind: keyof Components, name: string, value: Json) => Json;
  /** Marks what rests on assumptions, with one id or several. */
  readonly assumed: (...ids: readonly AssumptionId[]) => Json;
  /** The narrowest simple schema that these values fit. */
  readonly schemaOf: (values: readonly unknown[]) => Json;
  /** The headers of an answer that must not be cached (RFC 6749 §5.1). */
  readonly cacheHeaders: () => Readonly<Record<string, Json>>;
}

/** What only the document says about an operation. */
export interface OperationFacts {
  /** The group in which the document lists it, with the description of the group. */
  readonly tag: { readonly name: string; readonly description: string };
  /** The section of the interface. */
  readonly section: string;
  /** The assumptions that concern the operation, whatever it answers. */
  readonly assumed: readonly AssumptionId[];
  readonly parameters: readonly Json[];
  readonly requestBody?: Json;
  /** Several if the operation can succeed in several ways. */
  readonly answer: AnswerFacts | readonly AnswerFacts[];
}

/** An answer of an operation that succeeds. */
export interface AnswerFacts {
  readonly status: number;
  readonly description: string;
  /** What every answer names in `Sandbox-Assumed`; empty if most name nothing. */
  readonly assumed: readonly AssumptionId[];
  /** Schema and examples of the body; undefined if there is none. */
  readonly body: { readonly schema: Json; readonly examples: Readonly<Record<string, Json>> } | undefined;
  /** In addition to those that every answer has. */
  readonly headers?: Readonly<Record<string, Json>>;
  readonly links?: Readonly<Record<string, Json>>;
}

/** Marks what rests on assumptions, with one id or several. */
export function assumed(...ids: readonly AssumptionId[]): Json {
  if (ids.length === 0) return {};
  return { "x-assumed": ids.length === 1 ? ids[0] : ids };
}
