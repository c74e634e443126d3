import type { FieldGenerator } from "../sandbox/lists/settings.js";
import { charactersFor, combinationsOf, instantTemplate, parseTemplate } from "../sandbox/lists/template.js";

/** 2026-01-31T09:00:00Z */
const instant = 1769850000000;

/** Shares no factor with any number of combinations, so that neighbouring indexes have different characters. */
const step = 48_271;

/**
 * A value as a generator makes it.
 * @param index another one gives another value, if the generator has several
 */
export function sampleOf(generator: FieldGenerator, index = 0): unknown {
  switch (generator.type) {
    case "uuid":
      return `0f8fad5b-d9cb-469f-a165-7086772895${String(index % 100).padStart(2, "0")}`;
    case "id":
      return `${generator.prefix ?? ""}${"0123456789ABCDEFGHJKMNPQRSTVWXYZ".repeat(8).slice(index, index + (generator.length ?? 16))}`;
    case "choice":
      return generator.values[index % generator.values.length];
    case "integer":
      return generator.min + (index % (generator.max - generator.min + 1));
    case "decimal": {
      const value = Math.min(generator.min + index, generator.max);
      return generator.as === "number" ? value : value.toFixed(generator.decimals ?? 2);
    }
    case "boolean":
      return index % 2 === 0;
    case "constant":
      return generator.value;
    case "text":
      return sampleText(generator.template, index);
    case "createdAt":
      if (generator.template !== undefined) return instantTemplate(generator.template)(instant);
      return {
        "date-time": "2026-01-31T09:00:00.000Z",
        date: "2026-01-31",
        seconds: instant / 1000,
        milliseconds: instant,
      }[generator.as ?? "date-time"];
    case "object":
      return Object.fromEntries(
        Object.entries(generator.fields).map(([name, field]) => [name, sampleOf(field, index)]),
      );
    case "nullable":
      return sampleOf(generator.of, index);
    case "parameter":
      return "";
  }
}

function sampleText(template: string, index: number): string {
  const parts = parseTemplate(template);
  const places = parts.filter((part) => Array.isArray(part));
  const combinations = combinationsOf(places);
  const characters = charactersFor(places, combinations, (index * step) % combinations, index);
  return parts
    .map((part) => (typeof part === "string" ? part : "name" in part ? String(index + 1) : characters.shift()))
    .join("");
}
