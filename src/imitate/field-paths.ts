import type { FieldGenerator, FieldSettings } from "../sandbox/lists/settings.js";
import { identifiesRow, isRowItself } from "./words.js";

/** A field at a dotted path. */
export interface PlacedField {
  readonly path: string;
  readonly name: string;
  readonly generator: FieldGenerator;
}

/** All fields, those of objects by dotted path, the outer ones first. A name with a dot cannot be in a path. */
export function placed(fields: FieldSettings, above = ""): PlacedField[] {
  const own = Object.entries(fields)
    .filter(([name]) => !name.includes("."))
    .map(([name, generator]) => ({ path: `${above}${name}`, name, generator }));
  return [
    ...own,
    ...own.flatMap(({ path, generator }) => (generator.type === "object" ? placed(generator.fields, `${path}.`) : [])),
  ];
}

/**
 * The paths of the members that identify a row: its own, or else those of an object that is the row itself.
 * @param list the name of the list
 */
export function identifiersIn(fields: FieldSettings, list: string): readonly string[] {
  const all = placed(fields).filter(
    ({ name, generator }) => generator.type !== "object" && generator.type !== "parameter" && identifiesRow(name, list),
  );
  const own = all.filter(({ path }) => !path.includes("."));
  const inside = all.filter(({ path, name }) => isRowItself(path.slice(0, -name.length - 1), list));
  return (own.length > 0 ? own : inside).map(({ path }) => path);
}

/** The fields with another generator at a path. */
export function withField(fields: FieldSettings, path: string, generator: FieldGenerator): FieldSettings {
  const [name = "", ...rest] = path.split(".");
  const old = fields[name];
  if (rest.length === 0) return { ...fields, [name]: generator };
  if (old?.type !== "object") return fields;
  return { ...fields, [name]: { ...old, fields: withField(old.fields, rest.join("."), generator) } };
}
