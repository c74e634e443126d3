import type { JsonObject } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { compileList, type List } from "../../sandbox/lists/list.js";
import {
  defaultLists,
  type FieldSettings,
  type ListSettings,
  ListSettingsError,
} from "../../sandbox/lists/settings.js";
import { operations } from "../../sandbox/operations.js";
import { TextPattern } from "../../sandbox/scenarios/text-pattern.js";
import { unnamedPath } from "../words.js";
import type { ApiDocument } from "./api-document.js";
import { type FoundEnvelope, findEnvelope } from "./envelope.js";
import { FieldMaker } from "./fields.js";
import { documentedSizes, type ListParts, listSettings, rolesOf } from "./list-maker.js";
import { listName, parentParameters, sharedParameters } from "./list-path.js";
import { listProblem } from "./list-problem.js";
import { type ChosenName, type Mapping, Mappings, type Meaning } from "./mapping.js";
import { type Note, Notes } from "./notes.js";
import { answerOf, notePostLists, noteWithoutSchema, type Operation, operationsOf, rowsName } from "./operations.js";
import { pathSamples, queryParameters } from "./parameters.js";
import { type Schema, SchemaReader } from "./schema.js";

/** Most lists that are made. */
const mostLists = 500;

/** Most members of a row. */
export const mostFields = 300;

/**
 * Most members of the rows of all lists, at first: a configuration has at most 1,000,000 characters, and a member takes
 * up to 70.
 */
const mostFieldsOfAll = 12_000;

/** How deep objects of a row have members that are not required, in the order of the attempts. */
const optionalDepths = [Number.POSITIVE_INFINITY, 4, 3, 2, 1, 0];

/** A row with fewer members is of little use. */
export const fewestFields = 10;

export interface ImportOptions {
  readonly mappings?: readonly Mapping[];
  /**
   * Only these paths are imported: of the document or of the lists, `*` is any text. One without `*` is imported in any
   * case.
   */
  readonly only?: readonly string[];
  /** The existing lists, by name, each with its path: their names are not given to others. */
  readonly present?: ReadonlyMap<string, string>;
  /** `basePath` of the configuration: every path begins with it, so it is left out of the paths of lists. */
  readonly basePath?: string;
  /** Whether these lists fit into a configuration. If not, rows get fewer members. */
  readonly fits?: (lists: readonly ImportedList[]) => Promise<boolean>;
}

/** A list that was made from an operation. */
export interface ImportedList {
  readonly name: string;
  readonly settings: ListSettings;
  /** The path as in the document. */
  readonly template: string;
  /** What was chosen for each meaning: a parameter, or a member of the answer. */
  readonly chosen: ReadonlyMap<Meaning, string>;
  /** Meanings whose name the user gave. */
  readonly mapped: ReadonlySet<Meaning>;
  /** Other lists of objects in the answer, which could be the rows. */
  readonly otherItems: readonly string[];
  /** What the document itself says about page sizes and members of rows, without guesses. */
  readonly documented: Pick<ListSettings, "pageSize" | "fields">;
  /** The numbers and flags about pages in the answer, by their paths, each with its meaning. */
  readonly counters: FoundEnvelope["counters"];
  /** The schema of the answer, as in the document. */
  readonly answer: unknown;
  /** A value for each parameter of the path, by its name in the path of the list. */
  readonly samples: Readonly<Record<string, string>>;
}

/** The lists that were made from the operations of a document. */
export interface ImportedLists {
  readonly operations: number;
  readonly lists: readonly ImportedList[];
  readonly notes: readonly Note[];
  /** Notes beyond those that are kept. */
  readonly droppedNotes: number;
  /** Options that had no effect. */
  readonly unusedMappings: readonly Mapping[];
  readonly unknownPaths: readonly string[];
  /** The format of the bounds of dates; undefined if the document has none. */
  readonly dates: "date" | "date-time" | "both" | undefined;
}

interface CompiledSettings {
  readonly settings: ListSettings;
  readonly isUniform: boolean;
}

/** Whether a list has several rows, and all are equal. */
function isUniform({ dataset, pathParameters }: List): boolean {
  const view = dataset.view(
    dataset.anchorAt(0),
    pathParameters.map(() => ""),
  );
  const [first] = view.rows([0]);
  const others = Array.from({ length: Math.max(dataset.count - 1, 0) }, (_, index) => index + 1);
  return others.length > 0 && others.every((ordinal) => view.rows([ordinal])[0] === first);
}

/** Makes lists of the operations of a document, with rows of a largest size. */
export class ListImporter {
  readonly #reader: SchemaReader;
  readonly #mappings: Mappings;
  readonly #lists: ImportedList[] = [];
  readonly #formats = new Set<string>();
  #shared: ReadonlySet<string> = new Set();
  /** Most members of a row. */
  mostFields = mostFields;
  /** Members of the largest row, including those that were left out. */
  largestRow = 0;
  readonly #withoutSchema: Operation[] = [];
  /** By path: the operation or list that answers a GET. */
  readonly #takenPaths = new Map<string, string>(
    Object.entries(operations).flatMap(([name, { method, path }]) =>
      method === "GET" && path !== undefined ? [[unnamedPath(path), name] as const] : [],
    ),
  );

  constructor(
    private readonly document: ApiDocument,
    private readonly notes: Notes,
    private readonly options: ImportOptions,
    private readonly most: number,
  ) {
    this.#reader = new SchemaReader(document, notes);
    this.#mappings = new Mappings(options.mappings ?? []);
  }

  all(): ImportedLists {
    const { only = [] } = this.options;
    const operations = operationsOf(this.#reader, this.options.basePath ?? "");
    this.#shared = sharedParameters(operations.map(({ path }) => path));
    const patterns = only.map((given) => new TextPattern(given));
    const names = (pattern: TextPattern, { template, path }: Operation) =>
      pattern.matches(template) || pattern.matches(path);
    const wanted = operations.filter((each) => only.length === 0 || patterns.some((pattern) => names(pattern, each)));
    // The lists that every sandbox has come first, so that they keep their names.
    const own = new Set(Object.values(defaultLists).map(({ path }) => path));
    wanted.sort((a, b) => Number(own.has(b.path)) - Number(own.has(a.path)));
    const likely = wanted.filter(({ template }) => rowsName(template) !== "").length;
    const share = Math.floor(mostFieldsOfAll / Math.min(Math.max(likely, 1), mostLists));
    this.mostFields = Math.max(Math.min(share, this.most), fewestFields);
    for (const operation of wanted) {
      const { template, path, get } = operation;
      if (this.#lists.length >= mostLists) {
        const left = `GET ${template} and all after it are skipped: at most ${mostLists} lists are made at once`;
        this.#reader.note(get, `${left} (--list chooses others).`);
        break;
      }
      const reason = this.#attempt(operation, only.includes(template) || only.includes(path));
      if (reason !== undefined) this.#reader.note(get, `GET ${template} is not imported: ${reason}.`);
    }
    if (only.length === 0) notePostLists(this.#reader);
    noteWithoutSchema(this.#reader, this.#withoutSchema);
    const [format] = this.#formats;
    return {
      operations: operations.length,
      lists: this.#lists,
      notes: this.notes.all,
      droppedNotes: this.notes.dropped,
      unusedMappings: this.#mappings.unused,
      unknownPaths: patterns
        .filter((pattern) => !wanted.some((each) => names(pattern, each)))
        .map(({ source }) => source),
      dates: this.#formats.size > 1 ? "both" : (format as "date" | "date-time" | undefined),
    };
  }

  /**
   * Makes a list of an operation.
   * @returns why not, if the user would expect one
   */
  #attempt(operation: Operation, isNamed: boolean): string | undefined {
    const { template, get, pathItem, path, fault } = operation;
    const unlessUnnamed = (reason: string) => (isNamed ? reason : undefined);
    const { schema, headers } = answerOf(this.document, get);
    const answer = schema === undefined ? undefined : new SchemaReader(this.document, new Notes()).read(schema);
    if (answer === undefined) {
      if (!isNamed) this.#withoutSchema.push(operation);
      return unlessUnnamed("its answer with status 200 has no JSON schema");
    }
    if (answer.type !== "object" && answer.type !== "array")
      return unlessUnnamed("its answer is not an object or an array");
    const name = this.#nameFor(path, get["operationId"]);
    const aliases = [name, template, path];
    const mapped = new Set<Meaning>();
    const names: ChosenName = (meaning, exists) => {
      const found = this.#mappings.nameOf(meaning, aliases, exists);
      if (found !== undefined) mapped.add(meaning);
      return found;
    };
    // Only the notes of an answer that becomes a list are kept: any other answer needs no explanation.
    const notes = new Notes();
    const reader = new SchemaReader(this.document, notes);
    const roles = rolesOf(queryParameters(reader, pathItem, get), names);
    const envelope = findEnvelope(reader, answer, headers, rowsName(template), names);
    if (envelope === undefined) return unlessUnnamed("its answer has no list of objects");
    const isPaged = roles.of.has("cursor") || roles.of.has("page-size");
    const isOne = envelope.isIdentified || (!envelope.looksLikeList && (envelope.isPart || rowsName(template) === ""));
    if (!isNamed && !isPaged && isOne) {
      const part = JSON.stringify(envelope.settings.items);
      return `its answer looks like one object, of which ${part} is a part (--list ${template} takes it)`;
    }
    if (fault !== undefined) return `the path ${path} ${fault}`;
    const taken = this.#takenPaths.get(unnamedPath(path));
    if (taken !== undefined) return `${path} is taken by ${taken}`;
    this.notes.addAll(notes);
    const fields = this.#fields(envelope.item, parentParameters(path, this.#shared), rowsName(template));
    const samples = pathSamples(this.#reader, pathItem, get, envelope.item);
    const list = { name, template, mapped, answer: schema, samples };
    return this.#make(list, { path, rowsName: rowsName(template), roles, envelope, fields, operation: get, names });
  }

  /** The fields of a row. If there are too many, those are left out first that are deep inside and not required. */
  #fields(item: Schema, pathParameters: readonly string[], list: string): FieldSettings {
    let fields: FieldSettings = {};
    for (const depth of optionalDepths) {
      const notes = new Notes();
      const reader = new SchemaReader(this.document, notes);
      const maker = new FieldMaker(reader, pathParameters, this.mostFields, depth, list);
      fields = maker.fields(item);
      this.largestRow = Math.max(this.largestRow, maker.count);
      if (maker.count > this.mostFields && depth > 0) continue;
      this.notes.addAll(notes);
      break;
    }
    return fields;
  }

  /**
   * Adds a list.
   * @returns why the sandbox does not accept it
   */
  #make(
    list: Pick<ImportedList, "name" | "template" | "mapped" | "answer" | "samples">,
    parts: ListParts,
  ): string | undefined {
    const { name } = list;
    const { path, roles, envelope, operation } = parts;
    const compiled = this.#compiled(name, listSettings(this.#reader, parts), operation);
    if (typeof compiled === "string") return compiled;
    const { settings, isUniform } = compiled;
    if (isUniform)
      this.#reader.note(
        operation,
        Object.keys(settings.fields ?? {}).length === 0
          ? `The rows of GET ${list.template} are empty: the document describes no member of them.`
          : `All rows of GET ${list.template} are equal: no member that the document describes can differ.`,
      );
    this.#takenPaths.set(unnamedPath(path), `the list ${name}`);
    for (const meaning of ["from", "to"] as const) {
      const parameter = roles.of.get(meaning);
      if (parameter) this.#formats.add(parameter.schema?.format === "date" ? "date" : "date-time");
    }
    const chosen = new Map(envelope.chosen);
    for (const [meaning, parameter] of roles.of) chosen.set(meaning, parameter.name);
    if (settings.dateField) chosen.set("date-field", settings.dateField);
    const documented = { pageSize: documentedSizes(parts), fields: parts.fields };
    this.#lists.push({
      ...list,
      settings,
      documented,
      chosen,
      otherItems: envelope.others,
      counters: envelope.counters,
    });
    return undefined;
  }

  /** The settings, without filters that would take the sandbox too long; or why it refuses them. */
  #compiled(name: string, settings: ListSettings, get: JsonObject): CompiledSettings | string {
    const problem = listProblem(name, settings);
    const filters = Object.entries(settings.filters ?? {});
    const [last] = filters.slice(-1);
    if (problem?.path[2] === "filters" && last !== undefined) {
      this.#reader.note(get, `The parameter ${quote(last[0])} is not imported: ${problem.message}.`);
      return this.#compiled(name, { ...settings, filters: Object.fromEntries(filters.slice(0, -1)) }, get);
    }
    if (problem !== undefined) return problem.message;
    try {
      return { settings, isUniform: isUniform(compileList(name, settings)) };
    } catch (error) {
      if (!(error instanceof ListSettingsError)) throw error;
      return error.message;
    }
  }

  #nameFor(path: string, operationId: unknown): string {
    const { present = new Map<string, string>() } = this.options;
    const same = [...present].find(([, other]) => unnamedPath(other) === unnamedPath(path));
    if (same) return same[0];
    const own = Object.entries(defaultLists).find(
      ([, list]) => list.path !== undefined && unnamedPath(list.path) === unnamedPath(path),
    );
    if (own && !present.has(own[0])) return own[0];
    return listName(path, operationId, (name) => present.has(name) || this.#lists.some((list) => list.name === name));
  }
}
