import type { AssumptionId, AssumptionSettings } from "../../assumptions.js";
import type { List } from "../../lists/list.js";
import type { Operation } from "../service.js";
import type { Tag } from "./tags.js";

/** What the document is made from. */
export interface OpenApiSource {
  readonly operations: readonly Operation[];
  readonly lists: readonly List[];
  readonly assumptions: AssumptionSettings;
  /** Base URL of the API. */
  readonly url: string;
}

/** A piece of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** What several operations share. It is filled while they are described. */
export type Components = Readonly<Record<"schemas" | "responses" | "parameters" | "headers", Record<string, Json>>>;

/** The facts of one operation that the table of operations does not have. */
export interface OperationFacts {
  readonly tag: Tag;
  /** The section of the interface. */
  readonly section: string;
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

/** Stores a component, and returns the reference to it. */
export function component(components: Components, kind: keyof Components, name: string, value: Json): Json {
  components[kind][name] = value;
  return { $ref: `#/components/${kind}/${name}` };
}
