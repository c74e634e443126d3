import type { JsonObject } from "../../base/text/json-object.js";
import { parameterWords, plainName } from "../words.js";
import type { ApiDocument } from "./api-document.js";
import { findEnvelope } from "./envelope.js";
import { type ListPath, lastLiteral, listPath } from "./list-path.js";
import { Notes } from "./notes.js";
import { type Schema, SchemaReader } from "./schema.js";

/** Most operations that are read. */
const mostOperations = 5000;

/** A GET of the document. */
export interface Operation extends ListPath {
  readonly template: string;
  readonly pathItem: JsonObject;
  readonly get: JsonObject;
}

/** The GET operations of a document. */
export function operationsOf(reader: SchemaReader, basePath: string): Operation[] {
  const { document } = reader;
  const paths = document.object(document.root["paths"]) ?? {};
  const operations: Operation[] = [];
  for (const [template, value] of Object.entries(paths)) {
    const pathItem = document.object(value);
    const get = pathItem && document.object(pathItem["get"]);
    if (!pathItem || !get) continue;
    if (operations.length >= mostOperations) {
      reader.note(paths, `Only the first ${mostOperations} operations are read.`, template);
      break;
    }
    const servers = get["servers"] ?? pathItem["servers"] ?? document.root["servers"];
    operations.push({ template, pathItem, get, ...listPath(template, servers, basePath) });
  }
  return operations;
}

/** The schema and the headers of the answer with status 200, as in the document. */
export function answerOf(
  document: ApiDocument,
  operation: JsonObject,
): { readonly schema: unknown; readonly headers: JsonObject } {
  const responses = document.object(operation["responses"]) ?? {};
  const response = document.object(responses["200"] ?? responses["2XX"] ?? responses["206"]);
  return { schema: schemaIn(document, response), headers: document.object(response?.["headers"]) ?? {} };
}

/** The schema of a body as JSON. */
function schemaIn(document: ApiDocument, body: JsonObject | undefined): unknown {
  const content = document.object(body?.["content"]) ?? {};
  const [, media] =
    Object.entries(content).find(([type]) => /^application\/([\w.+-]+\+)?json\b/i.test(type)) ??
    Object.entries(content).find(([type]) => type === "*/*") ??
    [];
  return document.object(media)?.["schema"];
}

/** A likely name of the rows: the last segment of the path, if it is not a parameter. */
export function rowsName(template: string): string {
  return /\}\/?$/.test(template) ? "" : lastLiteral(template);
}

/** Notes the lists that are requested with POST: lists of the sandbox are requested with GET. */
export function notePostLists(reader: SchemaReader): void {
  const { document } = reader;
  const quiet = new SchemaReader(document, new Notes());
  const paths = document.object(document.root["paths"]) ?? {};
  for (const [template, value] of Object.entries(paths).slice(0, mostOperations)) {
    const post = document.object(document.object(value)?.["post"]);
    if (!post) continue;
    const sent = quiet.read(schemaIn(document, document.object(post["requestBody"])));
    if (!sent || !asksForPages(quiet, sent)) continue;
    const answer = quiet.read(answerOf(document, post).schema);
    if (answer && findEnvelope(quiet, answer, {}, rowsName(template), () => undefined)?.looksLikeList)
      reader.note(post, `POST ${template} is a list that is not imported: the sandbox's lists are requested with GET.`);
  }
}

/** Most operations without a schema that are named. */
const mostNamed = 20;

/** Names the operations whose answers have no schema. */
export function noteWithoutSchema(reader: SchemaReader, operations: readonly Operation[]): void {
  const [first] = operations;
  if (first === undefined) return;
  const further = operations.length - mostNamed;
  const names = operations.slice(0, mostNamed).map(({ template }) => `GET ${template}`);
  const named = `${names.join(", ")}${further > 0 ? ` and ${further} more` : ""}`;
  reader.note(first.get, `Not imported, because the answer with status 200 has no JSON schema: ${named}.`);
}

/** Whether a body, or an object in it, has a cursor or the size of a page. */
function asksForPages(reader: SchemaReader, sent: Schema, depth = 0): boolean {
  return [...sent.properties].some(([name, value]) => {
    if ([...parameterWords.cursor, "pagesize", "limit"].some((each) => each === plainName(name) && each !== "token"))
      return true;
    const member = depth < 1 ? reader.read(value) : undefined;
    return member?.type === "object" && asksForPages(reader, member, depth + 1);
  });
}
