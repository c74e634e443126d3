import { upperFirst } from "../../base/text/letters.js";
import { quote } from "../../base/text/printable.js";
import { RegularExpressionError } from "../../base/text/regular-expression.js";
import type { FieldGenerator } from "../../sandbox/lists/settings.js";
import { sampleOf } from "../sample.js";
import { decimalsOf, shapeOf } from "../shape.js";
import { wordsOf } from "../words.js";
import { braced, ofPattern } from "./pattern.js";
import { patternTest } from "./pattern-match.js";
import type { Schema } from "./schema.js";

/** Longest example that is used, in characters. */
const longestExample = 300;

const uuid = { type: "uuid" } as const;
const text = (template: string) => ({ type: "text", template }) as const;
const email = text("person{number}@example.com");
const url = text("https://example.com/{number}");
const amount = { type: "decimal", min: 1, max: 900 } as const;
const oneOf = (...values: readonly string[]) => ({ type: "choice", values }) as const;

/** Days, as dates. */
const days = [{ type: "createdAt", as: "date" }] as const;

/** Instants: in UTC with milliseconds, and as other services write them. Those of RFC 3339 come first. */
const instants: readonly FieldGenerator[] = [
  { type: "createdAt" },
  ...["Z", "+00:00"].flatMap((zone) => instantsWith("T{hour}:{minute}:{second}", zone, [-1, 0, 3, 6, 1, 2, 4, 5])),
  ...["", "+0000"].flatMap((zone) => instantsWith("T{hour}:{minute}:{second}", zone, [-1, 0, 3, 4])),
  ...["", "Z", "+00:00", " UTC"].flatMap((zone) => instantsWith(" {hour}:{minute}:{second}", zone, [-1, 0, 3])),
  ...["Z", ""].flatMap((zone) => ["T", " "].flatMap((to) => instantsWith(`${to}{hour}:{minute}`, zone, [-1]))),
];

/** @param zeros digits after the milliseconds; -1 for no fraction */
function instantsWith(time: string, zone: string, zeros: readonly number[]): readonly FieldGenerator[] {
  return zeros.map((count) => {
    const fraction = count < 0 ? "" : `.{millisecond}${"0".repeat(count)}`;
    return { type: "createdAt", template: `{year}-{month}-{day}${time}${fraction}${zone}` };
  });
}

/** Values of texts whose schema does not name their format, by the last word of their names. */
const knownNames = tableOf<FieldGenerator>({
  currency: oneOf("EUR", "GBP", "USD"),
  country: oneOf("DE", "GB", "US"),
  iban: oneOf("DE89370400440532013000", "GB29NWBK60161331926819", "NL91ABNA0417164300"),
  bic: oneOf("COBADEFFXXX", "NWBKGB2LXXX", "ABNANL2AXXX"),
  ...{ email, url, href: url, uri: url, uuid },
  ...{ amount, price: amount, balance: { ...amount, max: 9000 } },
});

/** Dates that have no format, by the last word of their names. */
const knownDates = tableOf({ at: instants, created: instants, timestamp: instants, datetime: instants, date: days });

/** Values of texts by the format of the schema. The first that has its pattern and lengths is taken. */
const knownFormats = tableOf<readonly FieldGenerator[]>({
  ...{ uuid: [uuid], guid: [uuid], "date-time": instants, datetime: instants, date: days, decimal: [amount] },
  email: [email, text("p{number}@x.io")],
  ...{ uri: [url, text("http://x.io/{number}")], url: [url, text("http://x.io/{number}")], iri: [url] },
  ...{ "uri-reference": [text("/{number}")], "json-pointer": [text("/{number}")] },
  time: ["Z", "+00:00", ".000Z", ".000000Z", ".000+00:00", "", ".000"]
    .map((end) => oneOf(`09:00:00${end}`, `12:30:00${end}`, `18:45:00${end}`))
    .concat(oneOf("09:00", "12:30", "18:45")),
  duration: [oneOf("PT30M", "PT2H", "P1D"), oneOf("P1D", "P2D", "P3D")],
  hostname: [text("service{number}.example.com"), text("s{number}.io")],
  ipv4: [oneOf("192.0.2.1", "192.0.2.2", "192.0.2.3")],
  ipv6: [oneOf("2001:db8::1", "2001:db8::2")],
  byte: [oneOf("c2FuZGJveA==", "cGF5bWVudHM="), oneOf("c2E=", "cGE=")],
});

/** A pattern that is written like a regular expression in JavaScript. */
const delimited = /^\/(.+)\/[dgimsuvy]*$/s;

/**
 * The generator of a text, by its format, pattern, example and name, in this order.
 * @param identifies whether each row needs another value
 * @param note is called with what could not be imported
 */
export function textField(
  schema: Schema,
  name: string,
  identifies: boolean,
  note: (message: string) => void,
): FieldGenerator {
  const { format, pattern } = schema;
  const inner = pattern && delimited.exec(pattern)?.[1];
  if (inner)
    note(
      `A pattern has no slashes around it and no flags: instead of ${quote(pattern)}, ${quote(inner)} may be meant.`,
    );
  const isIdentifier = identifies || ["id", "reference", "token", "number"].includes(wordsOf(name).at(-1) ?? "");
  const formed = format === undefined ? undefined : knownFormats.get(format.toLowerCase());
  const usual = formed?.[0] ?? exampleOrName(schema, name, isIdentifier, identifies);
  const guesses = formed ?? [...datesOf(schema, name, identifies), usual];
  const guess = guesses.map((each) => fitting(each, schema)).find((each) => meets(each, schema));
  if (guess) return guess;
  const alike =
    formed || meets(fitting(usual, schema), { ...schema, pattern: undefined })
      ? fitting(usual, schema)
      : short(usual, schema, isIdentifier, name);
  if (pattern === undefined) {
    if (formed) note("Its values do not have the length that the document gives.");
    return alike;
  }
  try {
    const made = ofPattern(pattern, schema);
    if (patternTest(pattern) && !meets(made, schema))
      note(`Its values do not meet pattern and length together: ${quote(pattern)}.`);
    return made;
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error;
    note(`The pattern ${quote(pattern)} of ${quote(name)} is not used: it ${error.message}.`);
    return alike;
  }
}

/** Dates without a format: by the name, or in the form that a pattern describes, if it describes a date only. */
function datesOf({ pattern, example }: Schema, name: string, identifies: boolean): readonly FieldGenerator[] {
  if (identifies) return [];
  if (pattern === undefined)
    return (example === undefined ? knownDates.get(wordsOf(name).at(-1) ?? "") : undefined) ?? [];
  const matches = patternTest(pattern);
  if (!matches || notDates.some((each) => matches(each))) return [];
  return [instants, days].find((all) => all.some((each) => matches(String(sampleOf(each))))) ?? [];
}

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

function exampleOrName({ example }: Schema, name: string, isIdentifier: boolean, identifies: boolean): FieldGenerator {
  if (typeof example !== "string" || example === "" || example.length > longestExample)
    return named(name, isIdentifier);
  // A date, an amount or a word of few is no identifier, whatever the example is.
  const isOther = identifies && !["uuid", "digits", "text"].includes(shapeOf(example));
  return isOther ? { type: "id" } : likeExample(example, isIdentifier, wordsOf(name).at(-1) ?? "");
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
  if (shape === "date-time") return { type: "createdAt" };
  if (shape === "date") return days[0];
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

/** Keeps a text within the lengths of its schema, if that is possible without another shape. */
function fitting(generator: FieldGenerator, { minLength = 0, maxLength = longestText }: Schema): FieldGenerator {
  if (generator.type === "text") {
    const missing = minLength - (samplesOf(generator)[0] ?? "").length;
    const zeros = "0".repeat(Math.min(Math.max(missing, 0), longestExample));
    return missing > 0 ? text(generator.template.replace("{number}", `${zeros}{number}`)) : generator;
  }
  if (generator.type === "id") {
    const { prefix = "", length = 16 } = generator;
    const wanted = Math.max(minLength, Math.min(prefix.length + length, maxLength)) - prefix.length;
    return wanted === length || wanted < 8 || wanted > 64 ? generator : { ...generator, length: wanted };
  }
  return generator;
}

/** Texts of a given length: a few that begin like others, or as many as rows. */
function short(
  like: FieldGenerator,
  { minLength = 0, maxLength = longestText }: Schema,
  isIdentifier: boolean,
  name: string,
): FieldGenerator {
  const begin =
    like.type === "text" ? like.template.replaceAll(/\{[^{}]*\}/g, "") : (like.type === "id" && like.prefix) || name;
  const length = Math.min(Math.max(minLength, Math.min(maxLength, begin.length + 1)), longestExample, maxLength);
  if (length === 0) return { type: "constant", value: "" };
  const digits = Math.min(length, 16);
  if (isIdentifier) return text(`${"0".repeat(length - digits)}{0-9A-Z:${digits}}`);
  const values = ["1", "2", "3"].map(
    (end) => `${begin.trim().replaceAll(" ", "-")}${"0".repeat(length)}`.slice(0, length - 1) + end,
  );
  return { type: "choice", values };
}

/** A map and not an object, because names in documents, such as "constructor", are members of every object. */
function tableOf<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}
