import { fullFormats } from "ajv-formats/dist/formats.js";
import { patternTest } from "./pattern-match.js";

/** What a schema says about one value. */
interface ValueSchema {
  readonly type: string | undefined;
  readonly nullable: boolean;
  readonly values: readonly unknown[] | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** Longer texts are compared with no format: its regular expression may take long. */
const longest = 300;

/**
 * Why a value that a document gives itself, such as an example, contradicts its schema.
 * @returns the end of a sentence that begins with the value; undefined if nothing is wrong, or there is no value
 */
export function contradiction(value: unknown, schema: ValueSchema): string | undefined {
  const { type, nullable, values } = schema;
  if (value === undefined || (value === null && nullable)) return undefined;
  if (type !== undefined && !isOfType(value, type)) return `is not of the type ${type}`;
  if (values && typeof value !== "object" && !values.includes(value)) return "is none of the values";
  if (typeof value === "number" && (value < (schema.minimum ?? value) || value > (schema.maximum ?? value)))
    return "is out of the range";
  return typeof value === "string" ? faultOfText(value, schema) : undefined;
}

function faultOfText(text: string, schema: ValueSchema): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format = "", pattern } = schema;
  const length = [...text].length;
  if (length < minLength) return "is too short";
  if (length > maxLength) return "is too long";
  if (pattern !== undefined && patternTest(pattern)?.(text) === false) return "does not match the pattern";
  return length <= longest && isOfFormat(text, format) === false ? `has not the format ${format}` : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "null":
      return value === null;
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

/** The formats of texts that a schema is proven with. */
const formats: Readonly<Record<string, unknown>> = fullFormats;

function isOfFormat(text: string, format: string): boolean | undefined {
  const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
  // Formats of numbers have a type.
  if (typeof known === "object" && known !== null && "type" in known) return undefined;
  const test: unknown = typeof known === "object" && known !== null && "validate" in known ? known.validate : known;
  if (test instanceof RegExp) return test.test(text);
  return typeof test === "function" ? test(text) === true : undefined;
}
