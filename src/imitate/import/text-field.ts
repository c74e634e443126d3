import { upperFirst } from "../../base/text/letters.js";
import { quote } from "../../base/text/printable.js";
import { RegularExpressionError } from "../../base/text/regular-expression.js";
import type { FieldGenerator } from "../../sandbox/lists/settings.js";
import { sampleOf } from "../sample.js";
import { decimalsOf, shapeOf } from "../shape.js";
import { plainName, wordsOf } from "../words.js";
import { ofPattern } from "./pattern.js";
import { patternTest } from "./pattern-match.js";
import type { Schema } from "./schema.js";

/** Longest example that is used, in characters. */
const longestExample = 300;

const uuid = { type: "uuid" } as const;
const instant = { type: "createdAt" } as const;
const date = { type: "createdAt", as: "date" } as const;
const email = { type: "text", template: "person{number}@example.com" } as const;
const url = { type: "text", template: "https://example.com/{number}" } as const;
const path = { type: "text", template: "/{number}" } as const;
const amount = { type: "decimal", min: 1, max: 900 } as const;
const oneOf = (...values: readonly string[]) => ({ type: "choice", values }) as const;

/** Values of texts whose schema does not name their format, by the last word of their names. */
const knownNames = tableOf({
  currency: oneOf("EUR", "GBP", "USD"),
  country: oneOf("DE", "GB", "US"),
  iban: oneOf("DE89370400440532013000", "GB29NWBK60161331926819", "NL91ABNA0417164300"),
  bic: oneOf("COBADEFFXXX", "NWBKGB2LXXX", "ABNANL2AXXX"),
  ...{ email, url, href: url, uri: url, uuid },
  ...{ amount, price: amount, balance: { ...amount, max: 9000 } },
});

/** Dates that have no format, by the last word of their names. */
const knownDates = tableOf({ at: instant, created: instant, timestamp: instant, datetime: instant, date });

/** Values of texts, by the format of the schema. */
const knownFormats = tableOf({
  ...{ uuid, guid: uuid, "date-time": instant, datetime: instant, date },
  ...{ email, uri: url, url, iri: url, "uri-reference": path, "json-pointer": path, decimal: amount },
  time: oneOf("09:00:00Z", "12:30:00Z", "18:45:00Z"),
  duration: oneOf("PT30M", "PT2H", "P1D"),
  hostname: { type: "constant", value: "service.example.com" },
  ipv4: oneOf("192.0.2.1", "192.0.2.2", "192.0.2.3"),
  ipv6: oneOf("2001:db8::1", "2001:db8::2"),
  byte: oneOf("c2FuZGJveA==", "cGF5bWVudHM="),
});

/**
 * The generator of a text, by its format, pattern, example and name, in this order.
 * @param note is called with what could not be imported
 */
export function textField(schema: Schema, name: string, note: (message: string) => void): FieldGenerator {
  const { format, pattern, example } = schema;
  const formed = format === undefined ? undefined : knownFormats.get(format.toLowerCase());
  if (formed) return fitting(formed, schema, name);
  const last = wordsOf(name).at(-1) ?? "";
  const isIdentifier = ["id", "reference", "token", "number"].includes(last);
  const dated = pattern === undefined && example === undefined ? knownDates.get(last) : dateOf(pattern);
  if (dated) return dated;
  const guess = fitting(
    typeof example === "string" && example !== "" && example.length <= longestExample
      ? likeExample(example, isIdentifier || plainName(name) === "id", last)
      : named(name, isIdentifier),
    schema,
    name,
  );
  if (pattern === undefined) return guess;
  if (meets(guess, schema)) return guess;
  try {
    const made = ofPattern(pattern, isIdentifier, {
      least: schema.minLength ?? 0,
      most: schema.maxLength ?? Number.POSITIVE_INFINITY,
    });
    if (patternTest(pattern) && !meets(made, schema))
      note(`Its values do not meet pattern and length together: ${quote(pattern)}.`);
    return made;
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error;
    note(`The pattern ${quote(pattern)} of ${quote(name)} is not used: it ${error.message}.`);
    return guess;
  }
}

/** A date in the form that a pattern describes, if it describes a date and nothing else. */
function dateOf(pattern: string | undefined): FieldGenerator | undefined {
  const matches = pattern === undefined ? undefined : patternTest(pattern);
  if (!matches || notDates.some((text) => matches(text))) return undefined;
  return dates.find((each) => matches(String(sampleOf(each))));
}

const dates = [instant, date] as const;

const notDates = ["0000000000", "000000000000000000000000", "ABCD-EF-GH", "ABCD-EF-GHTIJ:KL:MN.000Z"];

/** Whether the values of a generator have the pattern and the length of a schema. */
function meets(generator: FieldGenerator, { pattern, minLength = 0, maxLength = longestText }: Schema): boolean {
  const matches = pattern === undefined ? undefined : patternTest(pattern);
  const samples = generator.type === "choice" ? generator.values.map(String) : samplesOf(generator);
  return samples.every(
    (text) =>
      text.length >= minLength && text.length <= maxLength && (pattern === undefined || matches?.(text) === true),
  );
}

/** Lengths of texts have no other limit than that of the configuration. */
const longestText = Number.POSITIVE_INFINITY;

/** The first and the last row have values of different lengths. */
function samplesOf(generator: FieldGenerator): string[] {
  return [0, 7, 9999].map((index) => String(sampleOf(generator, generator.type === "id" ? index % 100 : index)));
}

function named(name: string, isIdentifier: boolean): FieldGenerator {
  const words = wordsOf(name);
  const known =
    knownNames.get(words.at(-1) ?? "") ?? (words.at(-1) === "code" ? knownNames.get(words.at(-2) ?? "") : undefined);
  if (known) return known;
  if (isIdentifier) return { type: "id" };
  const title = words.join(" ");
  return { type: "text", template: `${upperFirst(title)} {number}`.trimStart() };
}

/**
 * Texts like an example, which is one of many values: an identifier keeps its prefix, a text with a number gets other
 * numbers, and any other text gets one. Words that programs read stay as they are, such as "EUR" and "paid_out".
 */
function likeExample(example: string, isIdentifier: boolean, lastWord: string): FieldGenerator {
  const shape = shapeOf(example);
  if (shape === "uuid") return uuid;
  if (shape === "date-time") return instant;
  if (shape === "date") return date;
  if (shape === "decimal") return { type: "decimal", min: 1, max: 900, decimals: decimalsOf(example) };
  const known = knownNames.get(lastWord);
  if (known?.type === "choice" && known.values.some((value) => String(value).length === example.length))
    return { type: "choice", values: [...new Set([example, ...known.values])] };
  if (/^[^@\s]+@[^@\s]+$/.test(example)) return email;
  const [, prefix = "", rest = ""] = /^([A-Za-z]{1,12}[_-])?([A-Za-z0-9]{8,64})$/.exec(example) ?? [];
  if (isIdentifier && rest !== "" && /\d/.test(rest))
    return { type: "id", ...(prefix === "" ? {} : { prefix }), length: rest.length };
  // Not a constant: a parameter can name further values of it.
  if (/^[A-Z]{1,4}$|^[A-Za-z]*[_/-]?[a-z_/-]+$/.test(example) && !isIdentifier)
    return { type: "choice", values: [example] };
  const digits = /\d+(?=\D*$)/.exec(example);
  if (digits === null) return { type: "text", template: `${braced(example)} {number}` };
  const before = braced(example.slice(0, digits.index));
  return { type: "text", template: `${before}{number}${braced(example.slice(digits.index + digits[0].length))}` };
}

function braced(text: string): string {
  return text.replaceAll("{", "{{").replaceAll("}", "}}");
}

/** Keeps a text within the lengths of its schema. */
function fitting(generator: FieldGenerator, schema: Schema, name: string): FieldGenerator {
  const most = schema.maxLength ?? Number.POSITIVE_INFINITY;
  const least = schema.minLength ?? 0;
  if (generator.type === "text") {
    const length = generator.template.replaceAll("{number}", "10000").length;
    if (length <= most && length - 4 >= least) return generator;
    return short(generator.template.replaceAll("{number}", ""), least, most);
  }
  if (generator.type === "id") {
    const prefix = generator.prefix ?? "";
    const wanted = prefix.length + (generator.length ?? 16);
    if (wanted <= most && wanted >= least) return generator;
    const length = Math.min(Math.max(least, Math.min(wanted, most)), 64 + prefix.length) - prefix.length;
    return length >= 8 ? { ...generator, length } : short(prefix || name, least, most);
  }
  return generator;
}

/** A few texts of a given length. */
function short(text: string, least: number, most: number): FieldGenerator {
  const length = Math.min(Math.max(least, Math.min(most, text.length + 1)), 300, Math.max(most, 0));
  if (length === 0) return { type: "constant", value: "" };
  const values = ["1", "2", "3"].map(
    (end) => `${text.trim().replaceAll(" ", "-")}${"0".repeat(length)}`.slice(0, length - 1) + end,
  );
  return { type: "choice", values };
}

/** A map and not an object, because names in documents, such as "constructor", are members of every object. */
function tableOf(generators: Readonly<Record<string, FieldGenerator>>): ReadonlyMap<string, FieldGenerator> {
  return new Map(Object.entries(generators));
}
