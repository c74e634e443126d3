import * as z from "zod";
import { isObject } from "../../base/text/json-object.js";
import { nearest } from "../../base/text/nearest.js";

/** Most forms that a value may have been meant as. If there are more, the first ones are as good as any. */
const mostForms = 3;

type Written = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType>>;

/** Whether two names differ in case, separators and number only: `retry_after` and `retryAfter`. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, "").replace(/s$/, "");
  return plain(one) === plain(other);
}

/**
 * The forms that a value was probably meant as. All of them fit the schema.
 * @param value one that does not fit
 */
export function rewritten(value: unknown, schema: z.ZodType): readonly unknown[] {
  const shapes = objectsIn(schema).map(({ shape }) => shape as Shape);
  const fitting = (candidates: readonly unknown[]) => {
    const forms = candidates.filter((candidate) => schema.safeParse(candidate).success);
    return [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()].slice(0, mostForms);
  };
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.every(isObject) ? fitting([Object.assign({}, ...value)]) : [];
  if (unwrapped(schema) instanceof z.ZodArray) return fitting([[value]]);
  const members = shapes.flatMap((shape) => asMember(value, shape));
  if (!isObject(value)) {
    const named = fitting(shapes.flatMap((shape) => nameAsKey(value, shape)));
    return named.length > 0 ? named : fitting([...members, ...withUnit(value).filter((text) => isFor(schema, text))]);
  }
  for (const named of [nameAlone(value, schema), shapes.flatMap((shape) => namedIn(value, shape))]) {
    const forms = fitting(named);
    if (forms.length > 0) return forms;
  }
  return fitting([...members, ...shapes.flatMap((shape) => byValue(value, shape)), ...valueAlone(value, shapes)]);
}

/** The values of `kind` of a fault with several kinds, those that stand alone among them. */
export function kindsOf(schema: z.ZodType): readonly string[] | undefined {
  return objectsIn(schema).some(({ shape }) => "kind" in shape) ? [...new Set(choicesOf(schema))] : undefined;
}

/** The keys with values that a schema permits. */
export function keysOf(schema: z.ZodType): readonly string[] {
  return objectsIn(schema).flatMap(({ shape }) => Object.keys(shape));
}

/** `500` for `500ms`. */
function withUnit(value: unknown): unknown[] {
  return typeof value === "number" ? [`${value}s`, `${value}ms`] : [];
}

/** `revoke` for `{ revoke: true }`, `renew` for `{ renew: {} }`. */
function nameAsKey(value: unknown, shape: Shape): unknown[] {
  return typeof value === "string"
    ? near(value, Object.keys(shape)).flatMap((key) => [{ [key]: true }, { [key]: {} }])
    : [];
}

/** `301s` for `{ advance: 301s }`. */
function asMember(value: unknown, shape: Shape): Written[] {
  return Object.keys(shape).flatMap((key) => (isFor(shape[key], value) ? [{ [key]: value }] : []));
}

/** `{ reset: true }` for `reset`, `{ kind: close }` for `close`. */
function nameAlone(value: Written, schema: z.ZodType): readonly unknown[] {
  const [[key, member] = [], ...more] = Object.entries(value);
  if (key === undefined || more.length > 0) return [];
  return near(key === "kind" ? String(member) : isEmpty(member) ? key : "", choicesOf(schema));
}

/** `{ status: 307 }` for `307`. */
function valueAlone(value: Written, shapes: readonly Shape[]): readonly unknown[] {
  const [[key, member] = [], ...more] = Object.entries(value);
  return key === undefined || more.length > 0 || isObject(member) || shapes.some((shape) => key in shape)
    ? []
    : [member];
}

/** Keys that name something: misspelt ones, or a kind with its settings below it. */
function namedIn(value: Written, shape: Shape): readonly unknown[] {
  const known = Object.keys(shape);
  const spelt = Object.fromEntries(
    Object.entries(value).map(([written, member]) => {
      const key = written in shape ? written : (near(written, known)[0] ?? written);
      return [key, memberOf(member, shape[key])];
    }),
  );
  const [key, ...more] = Object.keys(spelt).filter((name) => !(name in shape));
  if (key === undefined) return [spelt];
  if (more.length > 0) return [];
  const { [key]: inside, ...rest } = spelt;
  // `{ truncate: { after: 100 } }` for `{ kind: truncate, after: 100 }`.
  return known.flatMap((name) =>
    near(key, choicesOf(shape[name])).flatMap((choice): readonly unknown[] => {
      const named = { [name]: choice, ...rest };
      if (isEmpty(inside)) return [named];
      if (!isObject(inside)) return asMember(inside, shape).map((member) => ({ ...named, ...member }));
      return [{ ...named, ...inside }, ...rewritten({ ...named, ...inside }, z.strictObject(shape))];
    }),
  );
}

/** A member as it was probably meant. */
function memberOf(member: unknown, schema: z.ZodType | undefined): unknown {
  if (schema === undefined || schema.safeParse(member).success) return member;
  const isKind = unwrapped(schema) instanceof z.ZodLiteral && typeof member === "string";
  return (isKind ? near(member, choicesOf(schema)) : rewritten(member, schema))[0] ?? member;
}

/** What the values of an object say: a key with another name, a level too many, a missing kind. */
function byValue(value: Written, shape: Shape): readonly unknown[] {
  const members = Object.entries(value);
  const [[key, inside] = [], ...more] = members.filter(([name]) => !(name in shape));
  if (more.length > 0 || members.length === 0) return [];
  const missing = Object.keys(shape).filter((name) => !(name in value));
  if (key === undefined)
    return missing
      .filter((name) => unwrapped(shape[name]) instanceof z.ZodLiteral)
      .flatMap((name) => choicesOf(shape[name]).map((choice) => ({ [name]: choice, ...value })));
  const replaced = (name: string) =>
    Object.fromEntries(members.map(([other, it]) => [other === key ? name : other, it]));
  const { [key]: _strange, ...rest } = value;
  return [
    ...missing.filter((name) => isFor(shape[name], inside)).map(replaced),
    ...(isObject(inside) ? [{ ...rest, ...inside }] : []),
  ];
}

function near(text: string, names: readonly string[]): readonly string[] {
  const same = names.filter((name) => isSameName(name, text));
  return same.length > 0 ? same : nearest(text, names).slice(0, 1);
}

function isEmpty(value: unknown): boolean {
  return value === true || value === null || (isObject(value) && Object.keys(value).length === 0);
}

/** Whether a value fits a schema that does not permit just any text. */
function isFor(schema: z.ZodType | undefined, value: unknown): boolean {
  if (schema === undefined || typeof value === "boolean" || value === null) return false;
  if (isObject(value) && (isEmpty(value) || objectsIn(schema).length === 0)) return false;
  return schema.safeParse(value).success && !["some", "some text"].some((text) => schema.safeParse(text).success);
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;
}

/** The texts of which a schema permits one. */
function choicesOf(schema: z.ZodType | undefined): readonly string[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodUnion) return (inside.options as readonly z.ZodType[]).flatMap(choicesOf);
  const choices =
    inside instanceof z.ZodEnum ? inside.options : inside instanceof z.ZodLiteral ? [...inside.values] : [];
  return choices.filter((choice) => typeof choice === "string");
}

function objectsIn(schema: z.ZodType): readonly z.ZodObject[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodUnion) return (inside.options as readonly z.ZodType[]).flatMap(objectsIn);
  return inside instanceof z.ZodObject ? [inside] : [];
}
