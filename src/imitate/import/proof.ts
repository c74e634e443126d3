import { randomBytes } from "node:crypto";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { isObject } from "../../base/text/json-object.js";
import { nextPageTarget } from "../../sandbox/api/next-link.js";
import type { AssumptionSettings } from "../../sandbox/assumptions.js";
import { systemClock } from "../../sandbox/clock.js";
import { cursorKeys, sealCursor } from "../../sandbox/lists/cursor.js";
import { renderEnvelope } from "../../sandbox/lists/envelope.js";
import { compileList, type List } from "../../sandbox/lists/list.js";
import { takePage } from "../../sandbox/lists/page.js";
import { continuation, parseListQuery } from "../../sandbox/lists/query.js";
import type { ListSettings } from "../../sandbox/lists/settings.js";
import { AnswerSchemas, type JsonSchema } from "./answer-schemas.js";
import type { ImportedDocument } from "./import-document.js";
import type { ImportedList } from "./list-importer.js";
import { patternTest } from "./pattern-match.js";
import { type PageFault, WalkProof } from "./walk-proof.js";

/** What is wrong with a value, and where: a JSON pointer (RFC 6901). */
interface Fault {
  readonly pointer: string;
  readonly reason: string;
}

/** Validates answers against the schemas of a document. */
class AnswerValidator {
  readonly #ajv: Ajv2020;

  /** @param schemas all schemas that `validator` is called with come from it, and have been made before */
  constructor(schemas: AnswerSchemas) {
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      logger: false,
      code: { regExp: linearTime },
    });
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $defs: schemas.definitions }, "document");
  }

  /**
   * @returns finds the first faults of an answer
   * @throws Error if the schema cannot be used
   */
  validator(schema: JsonSchema): (answer: unknown) => readonly Fault[] {
    const placed = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
    const validate: ValidateFunction = this.#ajv.compile(placed);
    return (answer) => (validate(answer) === true ? [] : (validate.errors ?? []).filter(saysWhy).map(faultOf));
  }
}

/** Errors that only say that others have happened inside: of a condition, and of alternatives of which none fits. */
function saysWhy({ keyword, params }: ErrorObject): boolean {
  return keyword !== "if" && keyword !== "anyOf" && !(keyword === "oneOf" && params["passingSchemas"] === null);
}

function faultOf({ instancePath, message = "is wrong", keyword, params }: ErrorObject): Fault {
  const named = keyword === "additionalProperties" ? `: ${JSON.stringify(params["additionalProperty"])}` : "";
  const values = keyword === "enum" ? `: ${JSON.stringify(params["allowedValues"]).slice(0, 100)}` : "";
  return { pointer: instancePath, reason: `${message}${named}${values}` };
}

/** Runs the patterns of a document in linear time. What cannot be compared counts as matched. */
const linearTime = Object.assign(
  (pattern: string) => {
    const matches = patternTest(pattern);
    return { test: (text: string) => matches?.(text) ?? true, toString: () => pattern };
  },
  { code: "linearTime" },
);

/** Keywords whose schemas are about the same value. */
const sameValue = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Most schemas that one value is compared with. Real documents have some hundred; schemas that refer to the next one
 * twice, over thirty steps, have a thousand million.
 */
const mostSchemas = 10_000;

/**
 * Whether a schema, or one that it leads to, compares one value with too many schemas, or with itself without end.
 * @param definitions the schemas that others refer to, as `#/$defs/NAME`
 */
function isTooHeavy(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): boolean {
  const weights = new Map<string, number>();
  const nameIn = (value: object) => ("$ref" in value ? String(value.$ref).slice("#/$defs/".length) : undefined);
  const weightOf = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weightOf(each), 0);
    if (!isObject(value)) return 0;
    const name = nameIn(value);
    if (name === undefined) return sameValue.reduce((sum, keyword) => sum + weightOf(value[keyword]), 1);
    const known = weights.get(name);
    if (known !== undefined) return known;
    // While it is computed: a schema that leads to itself.
    weights.set(name, Number.POSITIVE_INFINITY);
    const weight = 1 + weightOf(definitions[name]);
    weights.set(name, weight);
    return weight;
  };
  const seen = new Set<unknown>();
  const left: unknown[] = [schema];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (weightOf(value) > mostSchemas) return true;
    const name = nameIn(value);
    if (name !== undefined) left.push(definitions[name]);
    left.push(...Object.values(value));
  }
  return false;
}

/** A list that was walked to its end. */
export interface ProvenList {
  readonly name: string;
  /**
   * Where its answers are not as the document says, rows have no ids of their own, or counters are wrong: each reason
   * once. Empty if all is right.
   */
  readonly faults: readonly PageFault[];
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
 * for it: the first page as a client gets it that asks for nothing, then all pages at the largest size. In all of
 * them, no two rows may have the same id, and members that count rows and pages must be right.
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
  const size = list.parameters.pageSize === undefined ? list.pageSize.default : list.pageSize.maximum;
  const whole = new WalkProof(list, imported, size);
  let page = 0;
  for (const answer of walk(list, imported, basePath, list.pageSize.maximum)) {
    if (page === mostPages) {
      const reason = "the walk was ended here, and further pages were not validated";
      return [...found.values(), { page, pointer: "", reason }];
    }
    page += 1;
    check(answer, page);
    if ("body" in answer) whole.add(answer.body);
  }
  const isEmpty = list.dataset.count > 0 && Object.keys(list.fields ?? {}).length === 0;
  const empty = { page: 1, pointer: "", reason: "rows are empty: the document describes no member of them" };
  return [...(isEmpty ? [empty] : []), ...found.values(), ...whole.faults].slice(0, mostFaults);
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
