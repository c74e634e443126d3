import type { AssumptionId } from "../../assumptions.js";
import type { DateFormat } from "../../lists/bound.js";
import { maximumCursorLength, minimumCursorLength } from "../../lists/cursor.js";
import { type EnvelopeMember, leadsOn, pathIn, renderEnvelope } from "../../lists/envelope.js";
import type { Gap } from "../../lists/envelope-members.js";
import { type List, maximumPathParameterLength } from "../../lists/list.js";
import { maximumFilterLength } from "../../lists/parameters.js";
import { inferredSchema, schemaOfFields } from "./row-schema.js";
import { assumed, type Json, type OpenApiWriter, type OperationFacts } from "./source.js";

/** The time for the rows of examples. It is fixed, so that the document does not change by itself. */
const exampleTime = Date.UTC(2026, 0, 31, 9, 30);

const exampleCursor = "AfQiaGIHodww_7iqlAAAAADkGQAXrmHJtDyWq0n5vK1cPz8e4Yw7TjRm2LhUoQ";

/** A value for each parameter of a path, in examples. */
const examplePathParameter = "example";

/** Describes a list (§7, §8). Its schemas are named after its operation. */
export function describeList(list: List, { id, url, component }: OpenApiWriter): OperationFacts {
  const name = id.slice("list".length);
  const item = component("schemas", `${name}Item`, itemSchema(list, `${name}Item`));
  const { body, cursorHeader, link } = list.envelope;
  const cursorPath = pathIn(body, "nextCursor");
  const cursorPlace = cursorHeader ? `header.${cursorHeader}` : cursorPath && `body#${pointerTo(cursorPath)}`;
  const headers = {
    ...(cursorHeader && { [cursorHeader]: cursorHeaderFacts }),
    ...(link?.inHeader && { Link: linkHeader }),
  };
  return {
    tag: { name: "lists", description: "Lists, a page at a time (§7, §8). The lists themselves are synthetic." },
    section: "4.3",
    assumed: ["list.endpoints", "checks.order"],
    parameters: parametersOf(list),
    answer: {
      status: 200,
      description: `A page of ${list.name}.`,
      assumed: ["list.endpoints", "list.envelope"],
      body: {
        schema: component("schemas", `${name}Page`, {
          title: `${name}Page`,
          ...assumed("list.envelope"),
          ...memberSchema(body, list, item),
        }),
        examples: examplesOf(list, url),
      },
      ...(cursorPlace && { links: { nextPage: linkToNextPage(list, id, cursorPlace) } }),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
  };
}

const linkHeader: Json = {
  description: 'The URL of the next page, as `<URL>; rel="next"` (RFC 8288); absent on the last one.',
  schema: { type: "string" },
};

const cursorHeaderFacts: Json = {
  description: "The cursor of the next page; absent on the last one.",
  schema: { type: "string" },
};

function itemSchema(list: List, title: string): Json {
  if (list.fields) return { title, ...assumed("list.endpoints"), ...schemaOfFields(list.fields) };
  const everyRow = Array.from({ length: list.dataset.count }, (_, ordinal) => ordinal);
  const items = rowsOf(list, everyRow).map((text) => JSON.parse(text));
  return { title, ...assumed("list.endpoints"), ...(items.length > 0 ? inferredSchema(items) : { type: "object" }) };
}

function rowsOf({ dataset, pathParameters }: List, ordinals: readonly number[]): string[] {
  const view = dataset.view(
    dataset.anchorAt(exampleTime),
    pathParameters.map(() => examplePathParameter),
  );
  return view.rows(ordinals);
}

function parametersOf({ pathParameters, parameters, filters, pageSize, dates }: List): Json[] {
  return [
    ...pathParameters.map((name) => ({
      name,
      in: "path",
      required: true,
      ...assumed("list.endpoints"),
      schema: { type: "string", minLength: 1, maxLength: maximumPathParameterLength },
    })),
    ...inQuery(
      parameters.pageSize,
      "The largest number of rows on a page (§8). It may change during a walk.",
      "list.page-size-format",
      {
        type: "integer",
        minimum: pageSize.minimum,
        ...(pageSize.beyond === "refuse" && { maximum: pageSize.maximum }),
        default: pageSize.default,
      },
    ),
    ...inQuery(
      parameters.cursor,
      "The cursor of the page before, as it was received, with exactly the same filters (§7 rule 1).",
      "list.cursor",
      cursorSchema,
    ),
    ...inQuery(
      parameters.fromCreatedAt,
      "Only rows created not before this instant. A filter.",
      "list.dates",
      dateSchema(dates),
    ),
    ...inQuery(
      parameters.toCreatedAt,
      dates.upper === "excluded"
        ? "Only rows created before this instant. A filter."
        : "Only rows created not after this instant. A filter.",
      "list.dates",
      dateSchema(dates),
    ),
    ...filters.flatMap(({ parameter, field, values }) =>
      inQuery(parameter, `Only rows with this ${field}. A filter.`, "list.endpoints", {
        type: "string",
        minLength: 1,
        maxLength: maximumFilterLength,
        ...(values ? { examples: values } : {}),
      }),
    ),
  ];
}

/** A parameter of the query; nothing if the list does not have it. */
function inQuery(name: string | undefined, description: string, basis: AssumptionId, schema: Json): Json[] {
  return name === undefined ? [] : [{ name, in: "query", description, ...assumed(basis), schema }];
}

/** The form of a cursor: base64url (RFC 4648 §5). Only the sandbox can verify that it is genuine. */
const cursorSchema = {
  type: "string",
  minLength: minimumCursorLength,
  maxLength: maximumCursorLength,
  pattern: "^[A-Za-z0-9_-]+$",
};

function dateSchema({ format, offset }: DateFormat): Json {
  const date = { type: "string", format: "date" };
  if (format === "date") return date;
  const dateTime = offset === "required" ? { type: "string", format: "date-time" } : { type: "string" };
  return format === "both" ? { anyOf: [dateTime, date] } : dateTime;
}

/** The schema of an object of the envelope, from the members that the real one is written with. */
function membersSchema(members: ReadonlyMap<string, EnvelopeMember>, list: List, item: Json): Json {
  const mayMiss = list.envelope.lastCursor === "omit";
  const required = [...members].filter(([, member]) => !(mayMiss && leadsOn(member)));
  return {
    type: "object",
    ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
    properties: Object.fromEntries([...members].map(([name, member]) => [name, memberSchema(member, list, item)])),
  };
}

function memberSchema(member: EnvelopeMember, list: List, item: Json): Json {
  if (typeof member === "string") {
    const value: unknown = JSON.parse(member);
    return { ...inferredSchema([value]), const: value };
  }
  if ("gap" in member) return gapSchema(member.gap as Gap, list, item);
  const schema = membersSchema(member, list, item);
  return leadsOn(member) && list.envelope.lastCursor === "null" ? { ...schema, type: ["object", "null"] } : schema;
}

function gapSchema(gap: Gap, { envelope, pageSize }: List, item: Json): Json {
  const wholeNumber = { type: "integer", minimum: 0 };
  const endsWithNull = envelope.lastCursor === "null";
  const type = endsWithNull ? ["string", "null"] : "string";
  const atTheEnd = `${{ null: "null", omit: "absent", empty: "empty" }[envelope.lastCursor]} on the last one`;
  switch (gap) {
    case "items":
      return { type: "array", maxItems: pageSize.maximum, items: item };
    case "nextCursor":
      return {
        ...cursorSchema,
        type,
        description: `Leads to the next page; ${atTheEnd}.`,
        ...assumed("list.cursor"),
      };
    case "nextLink":
      return { type, format: "uri-reference", description: `The URL of the next page; ${atTheEnd}.` };
    case "hasMore":
      return { type: "boolean", description: "Whether another page follows." };
    case "pageSize":
      return { ...wholeNumber, description: "The page size that was requested." };
    case "count":
      return { ...wholeNumber, description: "The number of rows on this page." };
    case "total":
      return { ...wholeNumber, description: "The number of rows in the whole result." };
    case "page":
      return { ...wholeNumber, description: "The number of this page in its walk, from 1." };
    case "pages":
      return { ...wholeNumber, description: "The number of pages at this page size." };
  }
}

/** Pages as the list itself would write them. */
function examplesOf(list: List, url: string): Record<string, Json> {
  const { count } = list.dataset;
  const page = (ordinals: readonly number[], cursor: string | undefined) => {
    const rows = rowsOf(list, ordinals);
    const pageSize = list.pageSize.default;
    const number = cursor === undefined ? Math.max(Math.ceil(count / pageSize), 1) : 1;
    const content = { json: rows.join(), count: rows.length, pageSize, page: number, total: count };
    return {
      value: JSON.parse(renderEnvelope(list.envelope, content, cursor, cursor && exampleLink(list, url, cursor))),
    };
  };
  const last = count > 0 ? [count - 1] : [];
  return {
    ...(count > 2 ? { page: page([0, 1], exampleCursor) } : {}),
    lastPage: page(last, undefined),
  };
}

function exampleLink({ path, parameters, envelope }: List, url: string, cursor: string): string {
  const base = envelope.link?.form === "path" ? new URL(url).pathname.replace(/\/$/, "") : url;
  const examplePath = path.replaceAll(/\{\w+\}/g, examplePathParameter);
  return `${base}${examplePath}?${encodeURIComponent(parameters.cursor)}=${cursor}`;
}

/** How a walk continues (§7 rule 1): with the cursor of this answer, and the filters of this request again. */
function linkToNextPage({ parameters, filters, pathParameters }: List, id: string, cursorPlace: string): Json {
  const query = [
    parameters.pageSize,
    parameters.fromCreatedAt,
    parameters.toCreatedAt,
    ...filters.map(({ parameter }) => parameter),
  ].filter((name) => name !== undefined);
  return {
    operationId: id,
    description: "The next page, if there is one. Parameters that the request did not send are left out again.",
    ...assumed("list.page-size-change", "list.filter-comparison"),
    parameters: {
      ...Object.fromEntries(pathParameters.map((name) => [`path.${name}`, `$request.path.${name}`])),
      ...Object.fromEntries(query.map((name) => [`query.${name}`, `$request.query.${name}`])),
      [`query.${parameters.cursor}`]: `$response.${cursorPlace}`,
    },
  };
}

/** JSON Pointer (RFC 6901). */
function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
