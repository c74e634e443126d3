import { camelCase } from "../../../base/text/letters.js";
import type { OperationName } from "../../operations.js";
import { neededScope } from "../challenge.js";
import type { Operation } from "../service.js";
import { errorResponses, otherErrors } from "./errors.js";
import { commonHeaders } from "./headers.js";
import { listFacts } from "./list.js";
import { commonParameters, pathParameters } from "./parameters.js";
import { pingFacts } from "./ping.js";
import {
  type AnswerFacts,
  assumed,
  type Components,
  type Json,
  type OpenApiSource,
  type OperationFacts,
} from "./source.js";
import { tokenFacts } from "./token.js";

/**
 * The facts of each operation that its row in the table of operations does not have. A new operation must add its own
 * here.
 */
const factsOf: Record<
  OperationName,
  (operation: Operation, source: OpenApiSource, id: string, components: Components) => OperationFacts
> = {
  token: (_operation, source, _id, components) => tokenFacts(source, components),
  ping: (_operation, source, _id, components) => pingFacts(source, components),
  list: ({ list: name }, { lists, url }, id, components) => {
    const list = lists.find((each) => each.name === name);
    if (!list) throw new Error(`The list ${name} has an operation, but is not among the lists.`);
    return listFacts(list, id, url, components);
  },
};

/** The paths of the document. */
export function pathsOf(source: OpenApiSource, components: Components): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const operation of source.operations) {
    const id = uniqueId(operation, ids);
    const { path, method } = operation;
    paths[path.text] = { ...paths[path.text], [method.toLowerCase()]: describe(operation, source, id, components) };
  }
  return paths;
}

function describe(operation: Operation, source: OpenApiSource, id: string, components: Components): Json {
  const facts = factsOf[operation.name](operation, source, id, components);
  return {
    operationId: id,
    tags: [facts.tag],
    summary: operation.summary,
    description: descriptionOf(operation, facts),
    "x-section": facts.section,
    ...assumed(...facts.assumed),
    security: [securityOf(operation)],
    parameters: [
      ...pathParameters(operation, facts.parameters),
      ...facts.parameters,
      ...commonParameters(operation, source.assumptions, components),
    ],
    ...(facts.requestBody ? { requestBody: facts.requestBody } : {}),
    responses: {
      ...Object.fromEntries(
        [facts.answer].flat().map((answer) => [answer.status, answerResponse(answer, source, components)]),
      ),
      ...errorResponses(operation, source, components),
      default: otherErrors(operation, source, components),
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

function answerResponse(answer: AnswerFacts, { assumptions }: OpenApiSource, components: Components): Json {
  return {
    description: answer.description,
    ...assumed(...answer.assumed),
    headers: {
      ...commonHeaders(assumptions, components, answer.assumed.length > 0),
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
