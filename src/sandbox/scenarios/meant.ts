import type * as z from "zod";
import { enumerated } from "../../base/text/enumerated.js";
import { isObject } from "../../base/text/json-object.js";
import { inOneLine, type SchemaProblem } from "../../base/yaml/document.js";
import { nameOf } from "../../base/yaml/issues.js";
import { isSameName, keysOf, kindsOf, rewritten } from "./rewritten.js";
import { ruleSchema, scenarioSchema } from "./schema.js";

// What has a wrong form, or stands in a wrong place: the form that was meant, ready to paste.

type Path = readonly PropertyKey[];
type Written = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType>>;

/** What was meant by a part of a file. */
interface Meant {
  /** The path of the part: all that is wrong in it follows from its form. */
  readonly at: Path;
  /** What is wrong, if the problem itself does not say it well. */
  readonly head?: string | undefined;
  /** What is said of the forms. */
  readonly hint?: string;
  /** The forms that may have been meant; all of them can be pasted. */
  readonly forms: readonly Written[];
  /** Whether it is the place that is wrong, which is certain; a similar name is less so. */
  readonly isMisplaced?: true;
}

/** The parts of a rule that have keys of their own. */
type Part = "when" | "then" | "from";

function shapeOf(part: Part): Shape {
  const schema = ruleSchema.shape[part];
  return "unwrap" in schema ? schema.unwrap().shape : schema.shape;
}

/** Longer forms are not shown. */
const longestForm = 300;

/**
 * Adds to the problems of a scenario the forms that were meant.
 * @param file the scenario, as it is written
 */
export async function withMeantForms(file: unknown, problems: readonly SchemaProblem[]): Promise<SchemaProblem[]> {
  const found = problems.map((problem) => {
    const meant = meantBy(file, problem.path);
    return { problem, meant: meant?.isMisplaced || !problem.message.includes("Did you mean") ? meant : undefined };
  });
  // That a part as a whole is wrong, or missing, follows from a key that stands wrongly.
  const wholes = new Set(
    found.flatMap(({ meant, problem: { path } }) => (meant ? [idOf(meant.at), idOf(path.slice(0, -1))] : [])),
  );
  const told: SchemaProblem[] = [];
  const over = new Set<string>();
  for (const { problem, meant } of found) {
    if (meant === undefined ? wholes.has(idOf(problem.path)) : over.has(idOf(meant.at))) continue;
    if (meant) over.add(idOf(meant.at));
    told.push(meant ? { ...problem, message: await sentences(meant, problem) } : problem);
  }
  return told;
}

function idOf(path: Path): string {
  return JSON.stringify(path);
}

async function sentences({ head, hint, forms }: Meant, problem: SchemaProblem): Promise<string> {
  const lines = await Promise.all(forms.map(async (form) => (await inOneLine(form)).replace(/^\{ (.*) \}$/, "$1")));
  const shown = lines.filter((line) => line.length <= longestForm).map((line) => `\`${line}\``);
  return [
    head ?? problem.head.replace(/\.?$/, "."),
    ...(hint === undefined ? [] : [hint]),
    ...(shown.length === 0 ? [] : [`Write ${enumerated(shown, "or")}.`]),
  ].join(" ");
}

function meantBy(file: unknown, [first, place, part, key]: Path): Meant | undefined {
  if (!isObject(file) || typeof first !== "string") return undefined;
  const ofFile = (scenarioSchema.shape as Shape)[first];
  if (ofFile === undefined) return inTheFile(file, first);
  if (first !== "rules" || place === undefined) return inPlace([first], first, file[first], ofFile);
  const rule: unknown = Object(file["rules"])[place];
  if (!isObject(rule) || typeof part !== "string") return undefined;
  const at = [first, place];
  if (part !== "when" && part !== "from" && part !== "then")
    return part in ruleSchema.shape
      ? inPlace([...at, part], part, rule[part], ruleSchema.shape[part as "limit"])
      : elsewhere(at, rule, { written: rule, knows: Object.keys(ruleSchema.shape) }, part);
  const value = rule[part];
  if (!isObject(value)) return inPlace([...at, part], part, value, ruleSchema.shape[part]);
  if (typeof key !== "string") return undefined;
  const schema = shapeOf(part)[key];
  if (!schema) return elsewhere(at, rule, { written: value, part, knows: Object.keys(shapeOf(part)) }, key);
  return strayIn(at, rule, part, key, schema) ?? inPlace([...at, part, key], key, value[key], schema);
}

/** A key in a value that is complete without it, and belongs elsewhere. */
function strayIn(at: Path, rule: Written, part: Part, key: string, schema: z.ZodType): Meant | undefined {
  const written = Object(rule[part])[key];
  if (!isObject(written)) return undefined;
  const knows = keysOf(schema);
  const rest = Object.fromEntries(Object.entries(written).filter(([name]) => knows.includes(name)));
  if (!schema.safeParse(rest).success) return undefined;
  const stray = Object.keys(written).find((name) => !knows.includes(name));
  return stray === undefined ? undefined : elsewhere(at, rule, { written, part, key, knows }, stray);
}

/** A value with a wrong form. */
function inPlace(at: Path, key: string, value: unknown, schema: z.ZodType): Meant | undefined {
  const forms = rewritten(value, schema).map((form) => ({ [key]: form }));
  const kinds = isObject(value) ? kindsOf(schema) : undefined;
  const isKnown = kinds === undefined || kinds.includes(String((value as Written)["kind"]));
  if (forms.length === 0 && isKnown) return undefined;
  return { at, forms, head: isKnown ? undefined : `${nameOf(at, "")}: give one of the kinds ${kinds.join(", ")}.` };
}

/** The object in which a key stands wrongly. */
interface Place {
  readonly written: Written;
  /** The part of the rule that it is, or is in; undefined for the rule itself. */
  readonly part?: Part;
  /** Its key in that part, if it is in it. */
  readonly key?: string;
  readonly knows: readonly string[];
}

/** A key that belongs to another part of the rule, or of the file. */
function elsewhere(at: Path, rule: Written, place: Place, key: string): Meant | undefined {
  const { written, part, knows } = place;
  if (knows.some((name) => isSameName(name, key))) return undefined;
  const home = homeOf(key, written[key], place);
  if (home !== undefined) return moved(at, rule, place, home);
  const own = Object.keys(ruleSchema.shape).find((name) => isSameName(name, key));
  if (own !== undefined) {
    const forms = [{ [own]: written[key] }];
    return { at: [...at, own], hint: `It stands beside ${part}, not in it.`, forms, isMisplaced: true };
  }
  if (!Object.keys(scenarioSchema.shape).some((name) => isSameName(name, key))) return undefined;
  return { at: [...at, key], hint: "It stands beside rules, not in a rule.", forms: [], isMisplaced: true };
}

/** All keys of an object that belong to the same part of the rule, in that part. */
function moved(at: Path, rule: Written, place: Place, home: Home): Meant {
  const { written, part, key, knows } = place;
  const strays = Object.entries(written).flatMap(([name, value]) => {
    const found = knows.includes(name) ? undefined : homeOf(name, value, place);
    return found?.part === home.part ? [{ name, forms: found.forms }] : [];
  });
  const rest = Object.fromEntries(
    Object.entries(written).filter(([name]) => !strays.some((stray) => stray.name === name)),
  );
  const before =
    part !== home.part ? rule[home.part] : key === undefined ? rest : { ...Object(rule[part]), [key]: rest };
  const alternatives =
    strays.length === 1 ? home.forms : [Object.assign({}, ...strays.map(({ forms: [form] }) => form))];
  const forms = alternatives
    .map((form) => ({ ...Object(before), ...form }))
    .filter((whole) => ruleSchema.shape[home.part].safeParse(whole).success)
    .map((whole) => ({ [home.part]: whole }));
  return { at: [...at, home.part], hint: `It is a ${home.what}.`, forms, isMisplaced: true };
}

/** The part of a rule that a key belongs to. */
interface Home {
  readonly part: "when" | "then";
  /** What the key is. */
  readonly what: string;
  /** Its forms there. */
  readonly forms: readonly Written[];
}

function homeOf(name: string, value: unknown, { part, key }: Place): Home | undefined {
  const homes = (["when", "then"] as const)
    .filter((other) => other !== part || key !== undefined)
    .flatMap((other) =>
      Object.entries(shapeOf(other))
        .filter(([known]) => isSameName(known, name))
        .map(([known, schema]) => {
          const isGood = schema.safeParse(value).success;
          const forms = (isGood ? [value] : rewritten(value, schema)).map((form) => ({ [known]: form }));
          return { part: other, what: `key of ${other}`, forms, isGood };
        }),
    );
  const found = homes.find(({ isGood }) => isGood) ?? homes.find(({ forms }) => forms.length > 0) ?? homes[0];
  return found ?? (key === undefined ? kindHome(name, value) : undefined);
}

/** The name of a kind, such as `truncate`. */
function kindHome(name: string, value: unknown): Home | undefined {
  const groups = Object.entries(shapeOf("then")).filter(([, schema]) =>
    kindsOf(schema)?.some((kind) => isSameName(kind, name)),
  );
  const forms = groups.flatMap(([group, schema]) =>
    rewritten({ [name]: value }, schema).map((form): Written => ({ [group]: form })),
  );
  const what = `kind of ${enumerated(
    groups.map(([group]) => group),
    "or",
  )}`;
  return groups.length === 0 ? undefined : { part: "then", what, forms };
}

/** Keys of a rule, or of its parts, that stand in the file itself. */
function inTheFile(file: Written, key: string): Meant | undefined {
  const place = { written: file, knows: Object.keys(scenarioSchema.shape) };
  if (place.knows.some((name) => isSameName(name, key))) return undefined;
  const isOfRule = (name: string) => name in ruleSchema.shape || homeOf(name, file[name], place) !== undefined;
  if (!isOfRule(key)) return undefined;
  const rule: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(file)) {
    const home = homeOf(name, value, place);
    if (name in ruleSchema.shape) rule[name] = value;
    else if (!place.knows.includes(name) && home) rule[home.part] = { ...Object(rule[home.part]), ...home.forms[0] };
  }
  const forms = ruleSchema.safeParse(rule).success ? [{ rules: [rule] }] : [];
  return { at: ["rules"], hint: "It is a key of a rule.", forms, isMisplaced: true };
}
