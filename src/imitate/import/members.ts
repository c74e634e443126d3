import { isObject } from "../../base/text/json-object.js";
import { sampleOf } from "../sample.js";
import { countsPages, plainName, wordsOf } from "../words.js";
import { contradiction } from "./example.js";
import { FieldMaker } from "./fields.js";
import type { Schema, SchemaReader } from "./schema.js";

/** Deepest member of an answer that is read: `page.cursors.after`. */
const deepest = 3;

/** Most members of an answer that are read, including those of its objects. */
const mostMembers = 200;

/** A member of the answer around the rows. */
export interface Member {
  /** Dotted, as in the configuration. */
  readonly path: string;
  readonly name: string;
  readonly schema: Schema;
  /** Whether the object that it is in requires it. */
  readonly required: boolean;
  readonly depth: number;
}

/** The members of an answer, those of its objects among them, the outer ones first. */
export function membersOf(reader: SchemaReader, answer: Schema): Member[] {
  const found: Member[] = [];
  const visit = (schema: Schema, above: string, depth: number, inside: ReadonlySet<object>) => {
    for (const [name, value] of schema.properties) {
      if (found.length >= mostMembers) return;
      const member = reader.read(value);
      if (member === undefined || member.parts.some((part) => inside.has(part))) continue;
      if (name.includes(".") || name === "" || name === "__proto__") {
        reader.note(schema.at, `${JSON.stringify(name)} is left out: the configuration cannot have this name.`);
        continue;
      }
      const path = `${above}${name}`;
      found.push({ path, name, schema: member, required: schema.required.has(name), depth });
      if (member.type === "object" && depth < deepest)
        visit(member, `${path}.`, depth + 1, new Set([...inside, ...member.parts]));
    }
  };
  visit(answer, "", 1, new Set(answer.parts));
  return found;
}

/** Whether a member is the URL of a page, and not a cursor. */
export function isLink({ path, schema }: Member): boolean {
  const { format, example, description, pattern } = schema;
  if (format === "uri" || format === "url" || format === "uri-reference") return true;
  if (typeof example === "string" && /^(https?:\/\/|\/)/.test(example)) return true;
  if (pattern?.startsWith("^https") === true) return true;
  return /\blinks?\b/i.test(wordsOf(path).slice(0, -1).join(" ")) || /\b(URL|URI|hyperlink|link)\b/i.test(description);
}

/** The paths of the objects around a path, the outer ones first. */
export function parentsOf(path: string): string[] {
  const steps = path.split(".");
  return steps.slice(0, -1).map((_, index) => steps.slice(0, index + 1).join("."));
}

/** The members of an answer, and the paths of those that it has in any case. */
interface Around {
  readonly members: readonly Member[];
  readonly sent: ReadonlySet<string>;
}

/**
 * The constant members around the rows: those that have one value in the document, and those that it requires of an
 * object that is sent. What is left out is noted.
 */
export function membersAround(
  reader: SchemaReader,
  answer: Schema,
  { members, sent }: Around,
): Readonly<Record<string, unknown>> {
  const extra: Record<string, unknown> = {};
  const parents = new Set([...sent].flatMap(parentsOf));
  const left: Member[] = [];
  for (const member of members) {
    const { path, schema, required } = member;
    const judged = [...Object.keys(extra), ...left.map((each) => each.path)];
    // The members of an object that is sent are judged one by one.
    if (sent.has(path) || parents.has(path) || judged.some((above) => path.startsWith(`${above}.`))) continue;
    const isSent = parentsOf(path).every((above) => parents.has(above));
    if (isSent && required && opens(member, members)) parents.add(path);
    else if (isSent && required) extra[path] = valueFor(reader, member);
    else if (isSent && schema.values?.length === 1) extra[path] = schema.values[0];
    else left.push(member);
  }
  for (const name of answer.required)
    if (!answer.properties.has(name) && !answer.closed && !name.includes(".")) extra[name] ??= null;
  for (const { path, schema } of left) {
    const reason = reasonAgainst(path, members);
    reader.note(schema.at, `${JSON.stringify(path)} is not in the sandbox's answers: ${reason}.`);
  }
  for (const member of members) {
    const value = extra[member.path];
    const isPage = (isObject(value) && "href" in value) || (typeof value === "string" && isLink(member));
    if (isPage)
      reader.note(
        member.schema.at,
        `${JSON.stringify(member.path)} is required: the sandbox sends the same link with every page, and it leads nowhere.`,
      );
  }
  for (const { path, name, schema } of members) {
    const value = extra[path];
    if (!["number", "boolean"].includes(typeof value) || !countsPages(name) || schema.values?.length === 1) continue;
    reader.note(
      schema.at,
      `${JSON.stringify(path)} is required: the sandbox sends ${value} with every page, whatever page it is.`,
    );
  }
  return extra;
}

/** Whether an object is sent member by member: some are required or constant. */
function opens({ path, schema, depth }: Member, members: readonly Member[]): boolean {
  if (schema.nullable || schema.type !== "object" || depth >= deepest) return false;
  return members.some(
    (member) => parentsOf(member.path).at(-1) === path && (member.required || member.schema.values?.length === 1),
  );
}

/** A value that the document allows for a member that it requires. */
function valueFor(reader: SchemaReader, { name, schema }: Member): unknown {
  const usual = contradiction(schema.default, schema) === undefined ? schema.default : undefined;
  const given = [schema.values?.[0], usual].find((value) => value !== undefined && value !== null);
  if (given !== undefined && JSON.stringify(given).length <= 500) return given;
  if (schema.nullable) return null;
  const generator = new FieldMaker(reader, [], mostFields, ofObject).value(schema, name);
  return generator === undefined ? null : sampleOf(generator);
}

/** A value that is an object has its members, and objects in it have those that are required. */
const ofObject = 2;

/** Most members of a value around the rows. */
const mostFields = 100;

function reasonAgainst(path: string, members: readonly Member[]): string {
  const inside = members.filter((member) => member.path === path || member.path.startsWith(`${path}.`));
  if (inside.some((each) => isLink(each) && /next|prev|first|last|self|href/.test(plainName(each.path))))
    return "the sandbox sends no link of a page but that of the next one";
  if (/^(prev|before)/.test(plainName(path.split(".").at(-1) ?? ""))) return "the sandbox does not page backwards";
  return "the sandbox has nothing that corresponds to it, and it is not required";
}
