import { inOrder } from "../base/yaml/document.js";
import { FileError, type FileProblem } from "../base/yaml/problem.js";
import { createOperations } from "../sandbox/api/operations.js";
import { ClientRegistry, RegistrationError } from "../sandbox/clients.js";
import { systemClock } from "../sandbox/clock.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import { type ConfigurationFile, unknownId } from "../sandbox/config/file.js";
import { type ConfigurationProblem, problemAt, readConfiguration } from "../sandbox/config/resolve.js";
import type { KeyProblem } from "../sandbox/config/shape-reader.js";
import { hiddenItems, selectorsOf } from "../sandbox/lists/items.js";
import { compileList, type List } from "../sandbox/lists/list.js";
import { pathParametersOf } from "../sandbox/lists/path.js";
import { type ListSettings, ListSettingsError } from "../sandbox/lists/settings.js";
import { certificateFacts } from "../sandbox/pki/certificate-facts.js";
import { CertsError } from "../sandbox/pki/certs.js";
import { canonicalHostname } from "../sandbox/pki/hostnames.js";
import { identityProfiles } from "../sandbox/pki/profiles.js";
import { unknownScenarioMessage } from "../sandbox/scenarios/engine.js";
import { readScenarios } from "./read-scenarios.js";

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

/** Checks a configuration file as far as a start would, without starting anything. */
export async function checkConfiguration(path: string): Promise<CheckedConfiguration> {
  const { configuration, problems, file } = await readConfiguration({ config: path }, {}, process.cwd());
  const ofStart = await problemsOfStart(configuration, file);
  const ofFile = (found: readonly ConfigurationProblem[]) =>
    new FileError(inOrder(found.map((one) => ("file" in one ? one : { file: path, message: one.message })))).problems;
  return {
    problems: ofFile([...problems, ...ofStart.problems]),
    warnings: ofFile(ofStart.warnings),
    scenarios: file?.configuration.settings.scenarios,
    lists: Object.keys({ ...configuration.lists, ...Object((file?.written as { lists?: object })?.lists) }),
  };
}

/**
 * What only a start finds, without starting anything.
 * @param file the configuration file, if there is one
 */
export async function problemsOfStart(
  configuration: Configuration,
  file: ConfigurationFile | undefined,
): Promise<{ readonly problems: readonly ConfigurationProblem[]; readonly warnings: readonly ConfigurationProblem[] }> {
  const { problems, warnings } = listProblems(configuration);
  const others = [...clientProblems(configuration), ...hostnameProblems(configuration)];
  const all = [...problems, ...others, ...(await scenarioProblems(configuration))];
  const at = ({ place, message }: KeyProblem) => problemAt(place, message, configuration.given, file);
  return { problems: all.map(at), warnings: warnings.map(at) };
}

function listProblems({ lists, assumptions }: Configuration): { problems: KeyProblem[]; warnings: KeyProblem[] } {
  const problems: KeyProblem[] = [];
  const note = (error: unknown): readonly PropertyKey[] => {
    if (!(error instanceof ListSettingsError)) throw error;
    for (const { path, reason } of [error, ...error.further])
      problems.push({ place: stepsOf(path), message: `${path}: ${reason}` });
    return stepsOf(error.path);
  };
  const compile = (name: string, settings: ListSettings): List => {
    try {
      return compileList(name, settings, assumptions.values["list.dates"]);
    } catch (error) {
      note(error);
      return compileList(name, { path: settings.path });
    }
  };
  let compiled = Object.entries(lists).map(([name, settings]) => compile(name, settings));
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

function hiddenItemsOf(name: string, { path, items = [] }: ListSettings): KeyProblem[] {
  if (path === undefined) return [];
  return hiddenItems(selectorsOf(pathParametersOf(path), items), items).map(({ index, member }) => ({
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

function clientProblems({ clients }: Configuration): KeyProblem[] {
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

function hostnameProblems({ hostnames }: Configuration): KeyProblem[] {
  return hostnames.flatMap((name, index) => {
    try {
      canonicalHostname(name);
      return [];
    } catch (error) {
      if (!(error instanceof CertsError)) throw error;
      return [{ place: ["hostnames", index], message: error.message }];
    }
  });
}

/** The scenario that is active from the start must exist. */
async function scenarioProblems({ scenario, scenarios: folder }: Configuration): Promise<KeyProblem[]> {
  if (scenario === undefined) return [];
  const library = await readScenarios(folder);
  return library.scenario(scenario)
    ? []
    : [{ place: ["scenario"], message: unknownScenarioMessage(scenario, library) }];
}
