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

/** More pages than a walk of an imported list has. */
const mostPages = 1000;

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
    const list = compileList(name, settings, assumptions.values["list.dates"]);
    const validate = usable(() => {
      if (isTooHeavy(schema, schemas.definitions)) throw new Error("too many of its parts are about the same value");
      return validator.validator(schema);
    });
    return [{ name, faults: faultsOf(list, imported, basePath, validate) }];
  });
}

type Validate = (answer: unknown) => readonly Fault[];

/** A schema that cannot be used is the fault of each answer. Some schemas show it only with an answer. */
function usable(compile: () => Validate): Validate {
  const faulty = (error: unknown): readonly Fault[] => [
    { pointer: "", reason: `the schema of the document cannot be used: ${(error as Error).message}` },
  ];
  try {
    const validate = compile();
    return (answer) => {
      try {
        return validate(answer);
      } catch (error) {
        return faulty(error);
      }
    };
  } catch (error) {
    return () => faulty(error);
  }
}

function faultsOf(list: List, imported: ImportedList, basePath: string, validate: Validate): readonly PageFault[] {
  const found = new Map<string, PageFault>();
  const check = (answer: WalkedPage, page: number) => {
    for (const fault of "body" in answer ? validate(answer.body) : [answer]) {
      // Rows have the same shape: the same reason for another row is no news.
      const key = `${fault.pointer.replaceAll(/\/\d+/g, "/*")} ${fault.reason}`;
      if (found.size < mostFaults && !found.has(key)) found.set(key, { page, ...fault });
    }
  };
  for (const answer of walk(list, imported, basePath, undefined)) {
    check(answer, 1);
    break;
  }
  let page = 0;
  for (const answer of walk(list, imported, basePath, list.pageSize.maximum)) {
    if (page === mostPages) {
      const reason = "the walk was ended here, and further pages were not validated";
      return [...found.values(), { page, pointer: "", reason }];
    }
    page += 1;
    check(answer, page);
  }
  return [...found.values()];
}

/** A page, or why the sandbox refuses the request for it. */
type WalkedPage = { readonly body: unknown } | Fault;

const keys = cursorKeys(randomBytes(32));

/** The pages of a walk, as the sandbox answers them. */
function* walk(
  list: List,
  { samples }: ImportedList,
  basePath: string,
  size: number | undefined,
): Generator<WalkedPage> {
  const { path, pathParameters: names, parameters: named, envelope } = list;
  const now = systemClock.now();
  const pathParameters = Object.fromEntries(names.map((name) => [name, samples[name] ?? "1"]));
  const target = `${basePath}${path.replaceAll(/\{([^}]*)\}/g, (_all, name) => encodeURIComponent(pathParameters[name] ?? ""))}`;
  const parameters = new Map<string, string[]>();
  if (size !== undefined && named.pageSize !== undefined) parameters.set(named.pageSize, [String(size)]);
  for (;;) {
    const parsed = parseListQuery(list, { parameters, clientId: "import", pathParameters, now, cursorKeys: keys });
    if (!parsed.ok) {
      yield { pointer: "", reason: `the sandbox refuses the request: ${parsed.problem.message}` };
      return;
    }
    const page = takePage(list, parsed.query);
    const cursor = page.next === undefined ? undefined : sealCursor(keys, continuation(parsed.query, page.next, now));
    const next = cursor && nextPageTarget(target, named.cursor, cursor);
    const link = next && envelope.link?.form !== "path" ? `https://localhost${next}` : next;
    yield { body: JSON.parse(renderEnvelope(envelope, page, cursor, link)) };
    if (cursor === undefined) return;
    parameters.set(named.cursor, [cursor]);
  }
}
