import { checkYaml, inOrder, type Misfit, parseYaml, type YamlFile } from "../../base/yaml/document.js";
import { FileError, type FileProblem } from "../../base/yaml/problem.js";
import { createOperations } from "../../sandbox/api/operations.js";
import { ClientRegistry, RegistrationError } from "../../sandbox/clients.js";
import { systemClock } from "../../sandbox/clock.js";
import type { FileConfiguration } from "../../sandbox/config/configuration.js";
import { emptyFile, readConfigurationText, resolveShape, YamlReader } from "../../sandbox/config/file.js";
import { configurationOf, usualScenarios } from "../../sandbox/config/resolve.js";
import { clientSchema, type FileShape, fileSchema } from "../../sandbox/config/schema.js";
import { type GivenSettings, SettingError } from "../../sandbox/config/settings.js";
import { compileList, type List } from "../../sandbox/lists/list.js";
import { parsePath, pathFault } from "../../sandbox/lists/path.js";
import { hiddenItems, selectorsOf } from "../../sandbox/lists/selectors.js";
import { type ListSettings, ListSettingsError } from "../../sandbox/lists/settings.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import { CertsError } from "../../sandbox/pki/certs.js";
import { canonicalHostname } from "../../sandbox/pki/hostnames.js";
import { identityProfiles } from "../../sandbox/pki/profiles.js";
import { unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import { builtInScenarios, ScenarioLibrary } from "../../sandbox/scenarios/library.js";

/** The result of checking a configuration file. */
export interface CheckedConfiguration {
  /** All problems: one does not hide another. */
  readonly problems: readonly FileProblem[];
  /** What makes no sense although a start accepts it: items that no path shows. */
  readonly warnings: readonly FileProblem[];
  /** The folder of scenarios that it names, if any. */
  readonly scenarios: string | undefined;
  /** The names of its lists, those of the defaults among them. */
  readonly lists: readonly string[];
}

/** A problem, and the path of the key that it is about. */
interface Finding {
  readonly place: readonly PropertyKey[];
  readonly message: string;
}

/** Checks a configuration file as far as a start would, without starting anything. */
export async function checkConfiguration(path: string): Promise<CheckedConfiguration> {
  try {
    const yaml = await parseYaml(await readConfigurationText(path), path);
    const { shape, misfits } = fittingShape(yaml, path);
    const { file, problems } = await readParts(shape, new YamlReader(path, yaml));
    const { problems: ofLists, warnings } = examineLists(file);
    const findings = [...ofLists, ...clientProblems(file), ...(await settingProblems(file))];
    const placed = ({ place, message }: Finding) => ({ file: path, ...yaml.place(place), message });
    return {
      problems: new FileError(inOrder([...misfits, ...problems, ...findings.map(placed)])).problems,
      warnings: new FileError(inOrder(warnings.map(placed))).problems,
      scenarios: file.settings.scenarios,
      lists: Object.keys({ ...file.lists, ...Object((yaml.value as { lists?: object } | null)?.lists) }),
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { problems: error.problems, warnings: [], scenarios: undefined, lists: Object.keys(emptyFile.lists) };
  }
}

/** What does not fit the schema, and the rest of the file. */
function fittingShape(yaml: YamlFile, path: string): { shape: FileShape; misfits: readonly FileProblem[] } {
  const { misfits } = checkYaml(yaml, path, fileSchema);
  const value: unknown = structuredClone(yaml.value ?? {});
  for (const misfit of misfits) withoutPart(value, misfit.path);
  const { clients, ...rest } = Object(value);
  const { success, data } = fileSchema.safeParse(rest);
  return { shape: { ...(success ? data : {}), clients: fittingClients(clients, misfits) }, misfits };
}

/** Replaces an id that does not fit; no client has it. */
const unknownId = "";

/** The entries under `clients`, by their places, each with the members that fit. */
function fittingClients(written: unknown, misfits: readonly Misfit[]): NonNullable<FileShape["clients"]> {
  return (Array.isArray(written) ? written : []).map((entry: unknown, index) => {
    const members: Record<string, unknown> = { ...Object(entry) };
    for (const { path } of misfits)
      if (path[0] === "clients" && path[1] === index && typeof path[2] === "string") delete members[path[2]];
    const { success, data } = clientSchema.partial().safeParse(members);
    const { clientId = unknownId, scopes = [], grantTypes = [], ...certificate } = success ? data : {};
    return { ...certificate, clientId, scopes, grantTypes };
  });
}

/**
 * Removes the part of a file that a problem is in: a key of the file, an assumption, a list or, if it is optional, a
 * key of a list.
 */
function withoutPart(value: unknown, [first, second, third]: readonly PropertyKey[]): void {
  const whole = third === undefined || third === "fields" || third === "items";
  const part =
    first === "lists"
      ? whole
        ? [first, second]
        : [first, second, third]
      : first === "assumptions" || first === "tls"
        ? [first, second]
        : [first];
  if (first === "clients") return;
  const steps = part.filter((step) => step !== undefined);
  let parent = value;
  for (const step of steps.slice(0, -1)) parent = Object(parent)[step];
  const last = steps.at(-1);
  if (last !== undefined) delete Object(parent)[last];
}

/**
 * Reads the files that a configuration names, each part by itself, so that the first one that cannot be read does not
 * hide the others.
 */
async function readParts(
  shape: FileShape,
  reader: YamlReader,
): Promise<{ file: FileConfiguration; problems: FileProblem[] }> {
  const { clients = [], lists = {}, tls, assumptions, ...rest } = shape;
  const problems: FileProblem[] = [];
  const reads = async (part: FileShape): Promise<boolean> => {
    try {
      await resolveShape(part, reader);
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(...error.problems);
      return false;
    }
  };
  const alone = (index: number) =>
    clients.map((client, at) => (at === index ? client : { ...client, certificates: [] }));
  const goodClients = await Promise.all(clients.map((_client, index) => reads({ clients: alone(index) })));
  const goodLists: Record<string, (typeof lists)[string]> = {};
  for (const [name, list] of Object.entries(lists))
    if (await reads({ lists: { [name]: list } })) goodLists[name] = list;
  const goodAssumptions = assumptions === undefined || (await reads({ assumptions })) ? assumptions : undefined;
  const goodTls = tls === undefined || (await reads({ tls })) ? tls : undefined;
  const readable = clients.map((client, index) => (goodClients[index] ? client : { ...client, certificates: [] }));
  const good = { ...rest, clients: readable, lists: goodLists, tls: goodTls, assumptions: goodAssumptions };
  return { file: await resolveShape(good, reader), problems };
}

/** If one of these is wrong, replacing it would cause further problems. */
const decisive = new Set<PropertyKey>(["items", "fields", "dateField"]);

function examineLists({ lists, assumptions }: FileConfiguration): { problems: Finding[]; warnings: Finding[] } {
  const problems: Finding[] = [];
  const note = (error: unknown): readonly PropertyKey[] => {
    if (!(error instanceof ListSettingsError)) throw error;
    for (const { path, reason } of [error, ...error.further])
      problems.push({ place: stepsOf(path), message: `${path}: ${reason}` });
    return stepsOf(error.path);
  };
  const compile = (name: string, settings: ListSettings): List[] => {
    try {
      return [compileList(name, settings, assumptions.values["list.dates"])];
    } catch (error) {
      const [, , key] = note(error);
      if (key === undefined || decisive.has(key) || !Object.hasOwn(settings, key)) return [];
      return compile(name, { ...settings, [key]: undefined });
    }
  };
  let compiled = Object.entries(lists).flatMap(([name, settings]) => compile(name, settings));
  const warnings = Object.entries(lists).flatMap(([name, settings]) => hiddenItemsOf(name, settings));
  for (;;) {
    try {
      createOperations(compiled, assumptions);
      return { problems, warnings };
    } catch (error) {
      const [, name] = note(error);
      compiled = compiled.filter((list) => list.name !== name);
    }
  }
}

function hiddenItemsOf(name: string, { path, items = [] }: ListSettings): Finding[] {
  if (path === undefined || pathFault(path) !== undefined) return [];
  const parameters = parsePath(path).flatMap((segment) => (typeof segment === "string" ? [] : segment.parameter));
  return hiddenItems(selectorsOf(parameters, items), items).map(({ index, member }) => ({
    place: ["lists", name, "items", index],
    message: `lists.${name}.items[${index}]: has no ${member}, which selects the items of a path; no path shows it`,
  }));
}

/** `lists.payments.items[3].id` as the keys and indexes that it names. */
function stepsOf(path: string): PropertyKey[] {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function clientProblems({ clients }: FileConfiguration): Finding[] {
  const registry = new ClientRegistry(systemClock, "check");
  // The standing clients: no other client may have their ids.
  const standing = new Set(identityProfiles.filter(({ kind }) => kind === "client").map(({ clientId: id }) => id));
  for (const id of standing) registry.register({ id, thumbprints: [], scopes: [] });
  return clients.flatMap(({ clientId, certificates, scopes }, index) => {
    if (clientId === unknownId) return [];
    try {
      registry.register({
        id: clientId,
        thumbprints: certificates.map((pem) => certificateFacts(pem).thumbprint),
        scopes,
      });
      return [];
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      const key = error.code === "CERTIFICATE_IN_USE" ? "certificates" : "clientId";
      return [{ place: ["clients", index, key], message: error.message }];
    }
  });
}

async function settingProblems(file: FileConfiguration): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const [index, name] of (file.settings.hostnames ?? []).entries()) {
    try {
      canonicalHostname(name);
    } catch (error) {
      if (!(error instanceof CertsError)) throw error;
      problems.push({ place: ["hostnames", index], message: error.message });
    }
  }
  const folder = process.cwd();
  let settings: GivenSettings = {
    ...file.settings,
    scenarios: file.settings.scenarios ?? (await usualScenarios(folder)),
  };
  for (;;) {
    try {
      const { scenario, scenarios } = await configurationOf(settings, file, folder);
      return scenario === undefined ? problems : [...problems, ...(await scenarioProblems(scenario, scenarios))];
    } catch (error) {
      if (!(error instanceof SettingError) || error.setting === undefined) throw error;
      problems.push({ place: [error.setting], message: error.message });
      settings = { ...settings, [error.setting]: undefined };
    }
  }
}

/** The scenario that is active from the start must exist. */
async function scenarioProblems(name: string, folder: string | undefined): Promise<Finding[]> {
  const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder });
  library.close();
  return library.scenario(name) ? [] : [{ place: ["scenario"], message: unknownScenarioMessage(name, library) }];
}
