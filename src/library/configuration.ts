import { resolve } from "node:path";
import { definedOnly } from "../base/text/json-object.js";
import { nameOf, validate } from "../base/yaml/issues.js";
import { FileError, mostProblems } from "../base/yaml/problem.js";
import { configurationOf } from "../sandbox/config/complete.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import { validConfigurationFile } from "../sandbox/config/file.js";
import { configurationError } from "../sandbox/config/resolve.js";
import type { fileSchema } from "../sandbox/config/schema.js";
import type { SettingError } from "../sandbox/config/settings.js";
import { emptyFile, resolveShape } from "../sandbox/config/shape.js";
import { ShapeReader } from "../sandbox/config/shape-reader.js";
import { SandboxError } from "./error.js";
import type { StartOptions } from "./options.js";

/** The defaults for a test suite. */
const quiet = { port: 0, adminPort: 0, defectPorts: 0, log: "none" } as const;

/**
 * Checks the options by the schema of `sandbox.yaml` and fills in what was left out.
 * @throws SandboxError, SettingError or FileError
 */
export async function configurationFrom(options: StartOptions): Promise<Configuration> {
  const folder = process.cwd();
  const { config, ...rest } = options;
  if (config !== undefined && (typeof config !== "string" || config === "")) {
    throw invalid(["config: give the path of a sandbox.yaml"]);
  }
  const shape = checked(rest, (await import("../sandbox/config/schema.js")).fileSchema);
  const base = config === undefined ? emptyFile : (await validConfigurationFile(resolve(folder, config))).configuration;
  const reader = new OptionsReader(folder);
  const given = await resolveShape(shape, reader, base);
  if (reader.fileProblems.length > 0) throw new FileError(reader.fileProblems);
  if (reader.keyProblems.length > 0)
    throw invalid(reader.keyProblems.slice(0, mostProblems).map(({ message }) => message));
  const problems: SettingError[] = [];
  const settings = { ...quiet, ...definedOnly(base.settings), ...definedOnly(given.settings) };
  const configuration = await configurationOf(settings, given, folder, {}, (error) => problems.push(error));
  if (problems.length > 0) throw configurationError(problems);
  return configuration;
}

function checked(options: unknown, schema: typeof fileSchema) {
  const lost = [...lostValues(options, [], new Set())].slice(0, mostProblems);
  if (lost.length > 0) throw invalid(lost);
  const result = validate(options, schema);
  if (result.success) return result.data;
  throw invalid(result.issues.slice(0, mostProblems).map(({ message }) => message));
}

/**
 * Values that the validation would drop or report wrongly: a member named `__proto__`, which `JSON.parse` can make, and
 * numbers that are not finite. The items of a list are checked where they are read.
 * @param above the objects that contain the value
 */
function* lostValues(value: unknown, path: readonly PropertyKey[], above: ReadonlySet<unknown>): Generator<string> {
  if (typeof value === "number" && !Number.isFinite(value))
    yield `${nameOf(path, "")}: is not a finite number. Give a finite one, or a text.`;
  if (typeof value !== "object" || value === null || above.has(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "items" && path[0] === "lists" && path.length === 2) continue;
    if (name === "__proto__")
      yield `Unknown key "${name}"${nameOf(path, " in ")}. Leave it out, or give it another name.`;
    else yield* lostValues(member, [...path, Array.isArray(value) ? Number(name) : name], new Set([...above, value]));
  }
}

function invalid(problems: readonly string[]): SandboxError {
  return new SandboxError("INVALID_OPTION", `startSandbox: ${problems.join("\n")}`);
}

/** Where `sandbox.yaml` names a PEM file, an option may be the PEM itself. */
class OptionsReader extends ShapeReader {
  /** Options have no lines: the message names the place. */
  override note(place: readonly PropertyKey[], message: string): undefined {
    this.wrong(place, message);
  }

  override async certificate(text: string, place: readonly PropertyKey[]): Promise<string | undefined> {
    if (!text.includes("-----BEGIN")) return super.certificate(text, place);
    return this.readPem(text, "the text", place);
  }
}
