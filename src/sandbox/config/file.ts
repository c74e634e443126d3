import { dirname } from "node:path";
import {
  checkYaml,
  configurationLimits,
  inOrder,
  parseYaml,
  type SchemaProblem,
  type YamlFile,
} from "../../base/yaml/document.js";
import { readExistingText } from "../../base/yaml/file-text.js";
import { FileError, type FileProblem } from "../../base/yaml/problem.js";
import type { FileConfiguration } from "./configuration.js";
import type { clientSchema, FileShape } from "./schema.js";
import { emptyFile, resolveShape } from "./shape.js";
import { type KeyProblem, ShapeReader } from "./shape-reader.js";

/** A configuration file, as far as it can be read. */
export interface ConfigurationFile {
  readonly configuration: FileConfiguration;
  /** The content of the file itself, without defaults. */
  readonly written: unknown;
  /** All problems: one does not hide another. */
  readonly problems: readonly FileProblem[];
  /** A problem of a value in it. */
  problemOf(problem: KeyProblem): FileProblem;
}

/**
 * Reads a configuration file, and the certificates and items that it names (paths are relative to the file). Problems
 * are collected, each with file, line and column.
 */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  const nothing = {
    configuration: emptyFile,
    written: {},
    problemOf: ({ message }: KeyProblem) => ({ file: path, message }),
  };
  try {
    const text = await readConfigurationText(path);
    // The file that comes with the project has only comments: the start does not load the parser and the schemas for it.
    if (text.split("\n").every((line) => /^\s*(#|$)/.test(line))) return { ...nothing, problems: [] };
    return await readYaml(await parseYaml(text, path), path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...nothing, problems: error.problems };
  }
}

/**
 * The same for a file that must be valid.
 * @throws FileError with its problems
 */
export async function validConfigurationFile(path: string): Promise<ConfigurationFile> {
  const file = await readConfigurationFile(path);
  if (file.problems.length > 0) throw new FileError(file.problems);
  return file;
}

/**
 * Reads the text of a configuration file.
 * @throws FileError when it cannot be read
 */
export function readConfigurationText(path: string): Promise<string> {
  return readExistingText(path, configurationLimits.characters);
}

async function readYaml(yaml: YamlFile, path: string): Promise<ConfigurationFile> {
  const { shape, schemaProblems } = await fittingShape(yaml, path);
  const reader = new ShapeReader(
    dirname(path),
    schemaProblems.map((problem) => problem.path),
  );
  const configuration = await resolveShape(shape, reader);
  const problemOf = ({ place, message }: KeyProblem) => ({ file: path, ...yaml.place(place), message });
  const problems = inOrder([...schemaProblems, ...reader.keyProblems.map(problemOf), ...reader.fileProblems]);
  return { configuration, written: yaml.value ?? {}, problems, problemOf };
}

/** What does not fit the schema, and the rest of the file. */
async function fittingShape(
  yaml: YamlFile,
  path: string,
): Promise<{ shape: FileShape; schemaProblems: readonly SchemaProblem[] }> {
  const schemas = await import("./schema.js");
  const { data: whole, problems: schemaProblems } = checkYaml(yaml, path, schemas.fileSchema);
  if (whole) return { shape: whole, schemaProblems };
  const value: unknown = structuredClone(yaml.value ?? {});
  for (const problem of schemaProblems) withoutPart(value, problem.path);
  const { clients, ...rest } = Object(value);
  const { success, data } = schemas.fileSchema.safeParse(rest);
  return {
    shape: { ...(success ? data : {}), clients: fittingClients(clients, schemaProblems, schemas.clientSchema) },
    schemaProblems,
  };
}

/** Replaces an id that does not fit; no client has it. */
export const unknownId = "";

/** The entries under `clients`, by their places, each with the members that fit. */
function fittingClients(
  written: unknown,
  schemaProblems: readonly SchemaProblem[],
  schema: typeof clientSchema,
): NonNullable<FileShape["clients"]> {
  return (Array.isArray(written) ? written : []).map((entry: unknown, index) => {
    const members: Record<string, unknown> = { ...Object(entry) };
    for (const { path } of schemaProblems)
      if (path[0] === "clients" && path[1] === index && typeof path[2] === "string") delete members[path[2]];
    const { success, data } = schema.partial().safeParse(members);
    const { clientId = unknownId, scopes = [], grantTypes = [], ...certificate } = success ? data : {};
    return { ...certificate, clientId, scopes, grantTypes };
  });
}

/**
 * Removes the part of a file that a problem is in: a key of the file, an assumption, a list or a key of a list.
 */
function withoutPart(value: unknown, path: readonly PropertyKey[]): void {
  const [first] = path;
  // Each client is read by itself.
  if (first === "clients") return;
  const isInside = first === "assumptions" || first === "tls";
  const steps = path.slice(0, first === "lists" ? 3 : isInside ? 2 : 1);
  const last = steps.pop();
  const parent = steps.reduce((each, step) => Object(each)[step], value);
  if (last !== undefined) delete Object(parent)[last];
}
