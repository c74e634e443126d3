import type { AssumptionSettings } from "../assumptions.js";
import type { List } from "../lists/list.js";
import { version } from "../version.js";
import type { Operation } from "./service.js";

/** What the document is made from. */
export interface OpenApiSource {
  readonly operations: readonly Operation[];
  readonly lists: readonly List[];
  readonly assumptions: AssumptionSettings;
  /** Base URL of the API. */
  readonly url: string;
}

/** The OpenAPI 3.1 document of the business interface, derived from the table of operations. */
export function openApi({ operations, url }: OpenApiSource): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, summary, name, list } of operations) {
    paths[path.text] = {
      ...paths[path.text],
      [method.toLowerCase()]: { operationId: list ?? name, summary, responses: { 200: { description: "Success." } } },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Business payments service", version },
    servers: [{ url }],
    paths,
  };
}
