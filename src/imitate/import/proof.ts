import { randomBytes } from "node:crypto";
import { nextPageTarget } from "../../sandbox/api/next-link.js";
import type { AssumptionSettings } from "../../sandbox/assumptions.js";
import { systemClock } from "../../sandbox/clock.js";
import { cursorKeys, sealCursor } from "../../sandbox/lists/cursor.js";
import { renderEnvelope } from "../../sandbox/lists/envelope.js";
import { compileList, type List } from "../../sandbox/lists/list.js";
import { takePage } from "../../sandbox/lists/page.js";
import { continuation, parseListQuery } from "../../sandbox/lists/query.js";
import type { ListSettings } from "../../sandbox/lists/settings.js";
import { AnswerSchemas } from "./answer-schemas.js";
import type { ImportedDocument } from "./import-document.js";
import type { ImportedList } from "./list-importer.js";
import { isTooHeavy } from "./schema-weight.js";
import { AnswerValidator, type Fault } from "./validator.js";

/** A list that was walked to its end. */
export interface ProvenList {
  readonly name: string;
  /** Where its answers are not as the document says: each reason once. Empty if all pages are valid. */
  readonly faults: readonly PageFault[];
}

interface PageFault extends Fault {
  /** From 1. */
  readonly page: number;
}

/** Most reasons of one list. */
const mostFaults = 5;

/** What shapes the answers of the lists: the configuration that was written. */
export interface WrittenLists {
  readonly lists: Readonly<Record<string, ListSettings>>;
  readonly basePath: string;
  readonly assumptions: AssumptionSettings;
}

/**
 * Walks lists to their end, as the sandbox answers, and validates each page against the schema that the document has
 * for it: the first page as a client gets it that asks for nothing, then all pages at the largest size.
 * @param names the lists that are walked
 */
export function proveLists(
  document: ImportedDocument,
  { lists, basePath, assumptions }: WrittenLists,
  names: readonly string[],
): readonly ProvenList[] {
  const schemas = new AnswerSchemas(document.document, document.version);
  const walked = document.lists.filter(({ name }) => names.includes(name));
  const answers = walked.map((imported) => ({ imported, schema: schemas.of(imported.answer) }));
  const validator = new AnswerValidator(schemas);
  return answers.flatMap(({ imported, schema }) => {
    const { name } = imported;
    const settings = lists[name];
    if (settings === undefined) return [];
    try {
      if (isTooHeavy(schema, schemas.definitions)) throw new Error("too many of its parts are about the same value");
      const list = compileList(name, settings, assumptions.values["list.dates"]);
      return [{ name, faults: faultsOf(list, imported, basePath, validator.validator(schema)) }];
    } catch (error) {
      const reason = `the schema of the document cannot be used: ${(error as Error).message}`;
      return [{ name, faults: [{ page: 1, pointer: "", reason }] }];
    }
  });
}

function faultsOf(
  list: List,
  imported: ImportedList,
  basePath: string,
  validate: (answer: unknown) => readonly Fault[],
): readonly PageFault[] {
  const found = new Map<string, PageFault>();
  const check = (body: unknown, page: number) => {
    for (const fault of validate(body)) {
      // Rows have the same shape: the same reason for another row is no news.
      const key = `${fault.pointer.replaceAll(/\/\d+/g, "/*")} ${fault.reason}`;
      if (found.size < mostFaults && !found.has(key)) found.set(key, { page, ...fault });
    }
  };
  const { value: first } = walk(list, imported, basePath, undefined).next();
  check(first, 1);
  let page = 0;
  for (const body of walk(list, imported, basePath, list.pageSize.maximum)) {
    page += 1;
    check(body, page);
  }
  return [...found.values()];
}

const keys = cursorKeys(randomBytes(32));

/** The pages of a walk, as the sandbox answers them. */
function* walk(list: List, { samples }: ImportedList, basePath: string, size: number | undefined): Generator<unknown> {
  const { path, pathParameters: names, parameters: named, envelope } = list;
  const now = systemClock.now();
  const pathParameters = Object.fromEntries(names.map((name) => [name, samples[name] ?? "1"]));
  const target = `${basePath}${path.replaceAll(/\{([^}]*)\}/g, (_all, name) => encodeURIComponent(pathParameters[name] ?? ""))}`;
  const parameters = new Map<string, string[]>();
  if (size !== undefined && named.pageSize !== undefined) parameters.set(named.pageSize, [String(size)]);
  for (;;) {
    const parsed = parseListQuery(list, { parameters, clientId: "import", pathParameters, now, cursorKeys: keys });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const page = takePage(list, parsed.query);
    const cursor = page.next === undefined ? undefined : sealCursor(keys, continuation(parsed.query, page.next, now));
    const next = cursor && nextPageTarget(target, named.cursor, cursor);
    const link = next && envelope.link?.form !== "path" ? `https://localhost${next}` : next;
    yield JSON.parse(renderEnvelope(envelope, page, cursor, link));
    if (cursor === undefined) return;
    parameters.set(named.cursor, [cursor]);
  }
}
