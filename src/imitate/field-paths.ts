import type { FieldGenerator, FieldSettings } from "../sandbox/lists/settings.js";

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

/** The fields with another generator at a path. */
export function withField(fields: FieldSettings, path: string, generator: FieldGenerator): FieldSettings {
  const [name = "", ...rest] = path.split(".");
  const old = fields[name];
  if (rest.length === 0) return { ...fields, [name]: generator };
  if (old?.type !== "object") return fields;
  return { ...fields, [name]: { ...old, fields: withField(old.fields, rest.join("."), generator) } };
}
