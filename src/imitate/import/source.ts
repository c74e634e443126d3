import { thousands } from "../../base/text/numbers.js";
import { parseYaml } from "../../base/yaml/document.js";
import { fileProblem, readExistingText } from "../../base/yaml/file-text.js";
import { deepest, tooDeep } from "../../base/yaml/inspect.js";
import { JsonPlaces } from "./json-places.js";

/** The content of a file of an OpenAPI document. */
export interface Source {
  readonly value: unknown;
  /** The place of the value at a path. */
  place(path: readonly PropertyKey[]): { readonly line: number; readonly column: number };
}

/** Most bytes of one file. The largest public documents of payment services have less than 10 MB. */
const largestFile = 32_000_000;

/** YAML takes a second and 70 MB of memory for each megabyte. */
const yamlLimits = { characters: 8_000_000, tokens: 3_000_000 };

const mostValues = 3_000_000;

/**
 * Reads JSON or YAML.
 * @param path the path of the file
 * @param name the name that problems are reported under
 * @throws FileError when it cannot be read, is neither, is too large or is nested too deeply
 */
export async function readSource(path: string, name: string): Promise<Source> {
  const text = await readExistingText(path, largestFile, name);
  if (!/^\s*[{[]/.test(text)) return parseYaml(text, name, yamlLimits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // YAML may also begin with a brace, and the YAML reader reports the place of the problem.
    if (text.length <= yamlLimits.characters) return parseYaml(text, name, yamlLimits);
    throw fileProblem(name, `This is not JSON: ${(error as Error).message}.`);
  }
  boundJson(value, name);
  const places = new JsonPlaces(text);
  return { value, place: (path) => places.place(path) };
}

function boundJson(value: unknown, name: string): void {
  let level = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > deepest) throw fileProblem(name, tooDeep);
    if (count > mostValues) throw fileProblem(name, `It has more than ${thousands(mostValues)} values.`);
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
}
