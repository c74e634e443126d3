import { durationPattern } from "../../src/base/text/duration.js";
import type { JsonSchema } from "../generate-scenarios.js";
import { codes, meanings } from "../markdown.js";

/** Sentences of descriptions that the page says once for all. */
const saidOnce =
  / (?:It can be combined with any other fault|It acts where `error` does|On every operation except token it acts after[^.]*|It acts after certificate, token and scope were accepted; on the token endpoint, always|The rule then counts new connections of all clients[^.]*|An answer without a body (?:stays as it is|is sent as it is))\./g;

/** What is said of a key. */
export function meaningOf({ description = "" }: JsonSchema): string {
  return ` ${description}`.replaceAll(saidOnce, "").trim();
}

/** Whether the meaning of a key says hardly more than its name. */
export function isEvident(meaning: string): boolean {
  return /^(?:The|Any) [^.]{1,25}\.$/.test(meaning);
}

type Row = readonly [name: string, meaning: string];

/** A key with its value, and what is said of it. */
export function keyRow(path: string, value: string, meaning: string): Row {
  return [value === "" ? `\`${path}\`` : `\`${path}\` (${value})`, meaning];
}

/** Of more keys than this, the names are not repeated. */
const mostNamed = 4;

/** Lists of the keys of JSON schemas. What was said of a key in an earlier list is not said again. */
export class KeyLists {
  readonly #said = new Map<string, string>();

  /** @param isShort whether a form is left out that is a text, or that the meaning names */
  constructor(private readonly isShort = false) {}

  /**
   * One line for each key. Nested keys follow it, unless it has its own section.
   * @param name of the list, by which later ones refer to its keys
   */
  of(schema: JsonSchema, name = ""): string {
    return meanings(this.#rows(schema, "", name));
  }

  /** Names the members of a key, if all of them were said before. */
  #saidOf({ properties = {} }: JsonSchema): string | undefined {
    const said = Object.entries(properties).map(([key, member]) => this.#said.get(`${key} ${JSON.stringify(member)}`));
    if (said.length === 0 || said.length > mostNamed || said.some((place) => place === undefined)) return undefined;
    return `keys, as ${said.join(", ")}`;
  }

  #rows(schema: JsonSchema, prefix: string, name: string): Row[] {
    return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
      const path = `${prefix}${key}`;
      const said = this.#said.get(`${key} ${JSON.stringify(member)}`);
      if (said !== undefined) return [[`\`${path}\``, `as ${said}`] as const];
      const short = this.#saidOf(member) ?? membersAlike(member);
      this.#said.set(`${key} ${JSON.stringify(member)}`, `\`${name}${path}\``);
      if (short !== undefined) return [keyRow(path, short, meaningOf(member))];
      const forms = [formOf(key, member), ...presetOf(key, member, schema)];
      const shown = this.isShort ? shortForms(forms, member) : forms;
      const meaning = meaningOf(member);
      const row = keyRow(path, shown.join("; "), this.isShort && isEvident(meaning) ? "" : meaning);
      if (prefix === "" && ownSections.has(key) && !member.const) return [row];
      const shapes = [member, ...(member.anyOf ?? [])].filter((shape) => this.#saidOf(shape) === undefined);
      return [row, ...shapes.flatMap((shape) => this.#rows(shape, `${path}.`, name))];
    });
  }
}

/** The forms without what need not be told: a text, keys that follow, and values that the meaning names. */
function shortForms(forms: readonly string[], { description = "", type }: JsonSchema): readonly string[] {
  const isNamed = (value: string) => /^`\w+`$/.test(value) && description.includes(value);
  return forms
    .filter((form) => form !== "text" && form !== "keys" && !form.split(", ").every(isNamed))
    .filter(() => type !== "boolean" || !description.startsWith("Whether "));
}

function presetOf(key: string, { default: preset }: JsonSchema, { required }: JsonSchema): readonly string[] {
  if (preset === undefined) return required?.includes(key) ? ["required"] : [];
  return [`default \`${Array.isArray(preset) ? JSON.stringify(preset) : String(preset)}\``];
}

/** Members with the same keys, such as counts for each operation. */
function membersAlike({ properties = {} }: JsonSchema): string | undefined {
  const members = Object.entries(properties);
  const shapes = new Set(members.map(([, { properties: own = {} }]) => Object.keys(own).join()));
  const [[, first] = ["", {}]] = members;
  if (members.length < 2 || shapes.size > 1 || first?.properties === undefined) return undefined;
  return `${codes(members.map(([key]) => key))}: each ${membersOf(first)}`;
}

/** Keys with their own section, and their type. */
const ownSections = new Map([
  ["rules", "list of rules"],
  ["when", "conditions"],
  ["then", "faults"],
]);

/** A description of a value's type. */
export function formOf(key: string, schema: JsonSchema): string {
  const section = schema.const === undefined ? ownSections.get(key) : undefined;
  if (section !== undefined) return section;
  if (schema.anyOf) return alternatives(key, schema.anyOf);
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) return choices.length > 10 || key === "needs" ? manyChoices(key, choices) : codes(choices.map(String));
  if (schema.pattern === durationPattern.source) return "duration";
  const { additionalProperties: values } = schema;
  if (typeof values === "object") return values.type === "string" ? "texts by name" : "values by name";
  if (schema.properties) return "keys";
  if (schema.type === "array")
    return schema.items?.anyOf ? "several of them" : `list of ${plural(formOf(key, schema.items ?? {}))}`;
  if (schema.type === "integer") return numbers("integer", schema);
  if (schema.type === "number") return numbers("number", schema);
  if (schema.type === "boolean") return "boolean";
  if (schema.type === "null") return "`null`";
  return schema.type === "string" ? "text" : "anything";
}

function plural(form: string): string {
  if (form === "anything") return "values";
  return form.includes("`") ? "these" : `${form.replace(/^an? /, "")}s`;
}

/** The name for a value out of many. */
function manyChoices(key: string, choices: readonly unknown[]): string {
  if (choices.includes("NO_ERROR")) return "HTTP/2 error code";
  return namesOfChoices.get(key) ?? "code or id";
}

const namesOfChoices = new Map([
  ["checks", "check"],
  ["exercises", "check"],
  ["needs", "need"],
  ["certificate", "name"],
]);

function alternatives(key: string, schemas: readonly JsonSchema[]): string {
  return [...new Set(schemas.map((schema) => (schema.properties ? membersOf(schema) : formOf(key, schema))))].join(
    ", or ",
  );
}

/** The members of an object, in braces. */
function membersOf({ properties = {} }: JsonSchema): string {
  return `\`{ ${Object.keys(properties).join(", ")} }\``;
}

function numbers(what: string, { minimum, maximum }: JsonSchema): string {
  if (minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER) return what;
  const open = maximum === 1_000_000 || maximum === Number.MAX_SAFE_INTEGER;
  return open ? `${what} from ${minimum}` : `${what}, ${minimum} to ${maximum}`;
}
