import { camelCase } from "../../../base/text/letters.js";
import type { AssumptionSettings } from "../../assumptions.js";
import { neededScope } from "../access.js";
import type { Operation } from "../service.js";
import { errorResponses, otherErrors } from "./errors.js";
import { cacheHeaders, commonHeaders } from "./headers.js";
import { commonParameters, pathParameters } from "./parameters.js";
import { inferredSchema } from "./row-schema.js";
import {
  type AnswerFacts,
  assumed,
  type Components,
  type Json,
  type OpenApiWriter,
  type OperationFacts,
} from "./source.js";

/** What the document is made from. */
export interface OpenApiSource {
  readonly operations: readonly Operation[];
  readonly assumptions: AssumptionSettings;
  /** Base URL of the API. */
  readonly url: string;
}

/** The paths of the document, and the groups of their operations in the same order. */
export async function pathsOf(source: OpenApiSource, components: Components) {
  const paths: Record<string, Json> = {};
  const tags = new Map<string, OperationFacts["tag"]>();
  const ids = new Set<string>();
  for (const operation of source.operations) {
    const writer = writerFor(uniqueId(operation, ids), source, components);
    const facts = await operation.openApi(writer);
    const { path, method } = operation;
    paths[path.text] = { ...paths[path.text], [method.toLowerCase()]: describe(operation, facts, writer) };
    tags.set(facts.tag.name, facts.tag);
  }
  return { paths, tags: [...tags.values()] };
}

function writerFor(id: string, { assumptions, url }: OpenApiSource, components: Components): OpenApiWriter {
  const writer: OpenApiWriter = {
    id,
    url,
    assumptions,
    component(kind, name, value) {
      components[kind][name] = value;
      return { $ref: `#/components/${kind}/${name}` };
    },
    assumed,
    schemaOf: inferredSchema,
    cacheHeaders: () => cacheHeaders(writer, true),
  };
  return writer;
}

function describe(operation: Operation, facts: OperationFacts, writer: OpenApiWriter): Json {
  return {
    operationId: writer.id,
    tags: [facts.tag.name],
    summary: operation.summary,
    description: descriptionOf(operation, facts),
    "x-section": facts.section,
    ...assumed(...facts.assumed),
    security: [securityOf(operation)],
    parameters: [
      ...pathParameters(operation, facts.parameters),
      ...facts.parameters,
      ...commonParameters(operation, writer),
    ],
    ...(facts.requestBody ? { requestBody: facts.requestBody } : {}),
    responses: {
      ...Object.fromEntries([facts.answer].flat().map((answer) => [answer.status, answerResponse(answer, writer)])),
      ...errorResponses(operation, writer),
      default: otherErrors(operation, writer),
    },
  };
}

function descriptionOf({ steps }: Operation, { section }: OperationFacts): string {
  const checks = steps.map(({ checks: text }, index) => `${index + 1}. ${text}`);
  return [
    `§${section} of the interface. What is checked, in this order; the first check that fails decides:`,
    ...checks,
  ].join("\n");
}

/** Every call needs the certificate (§5 point 1). Those whose steps check a token need the token as well. */
function securityOf({ steps }: Operation): Json {
  const withToken = steps.some(({ refuses }) => refuses.includes("bearer.missing-token"));
  return { mutualTLS: [], ...(withToken ? { oauth2: [neededScope] } : {}) };
}

function answerResponse(answer: AnswerFacts, writer: OpenApiWriter): Json {
  return {
    description: answer.description,
    ...assumed(...answer.assumed),
    headers: {
      ...commonHeaders(writer, answer.assumed.length > 0),
      ...answer.headers,
    },
    ...(answer.body ? { content: { "application/json": answer.body } } : {}),
    ...(answer.links ? { links: answer.links } : {}),
  };
}

/**
 * `token`, `ping`, `listPayments`. If the names of lists differ only in punctuation or case, the later ones get a
 * number.
 */
function uniqueId({ name, list }: Operation, taken: Set<string>): string {
  const words = (list ?? "").split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const plain = camelCase([name, ...words]);
  let id = plain;
  for (let number = 2; taken.has(id); number += 1) id = `${plain}${number}`;
  taken.add(id);
  return id;
}
