import { createOperations } from "../api/operations.js";
import { ClientRegistry, RegistrationError } from "../clients.js";
import { systemClock } from "../clock.js";
import type { FileConfiguration } from "../config/configuration.js";
import { readConfigurationFile, readConfigurationText } from "../config/file.js";
import { resolveConfiguration } from "../config/resolve.js";
import { SettingError } from "../config/settings.js";
import { compileList } from "../lists/list.js";
import { ListSettingsError } from "../lists/settings.js";
import { CertsError } from "../pki/certs.js";
import { canonicalHostname } from "../pki/hostnames.js";
import { identityProfiles } from "../pki/profiles.js";
import { certificateFacts } from "../pki/thumbprint.js";
import { unknownScenarioMessage } from "../scenarios/engine.js";
import { builtInScenarios, ScenarioLibrary } from "../scenarios/library.js";
import { FileError, type FileProblem, parseYaml } from "../yaml/document.js";

/** What was found out about a configuration file. */
export interface CheckedConfiguration {
  readonly problems: readonly FileProblem[];
  /** The folder of scenarios that it names, if any. */
  readonly scenarios: string | undefined;
}

/** A problem, and the path of the key that it is about. */
interface Finding {
  readonly place: readonly PropertyKey[];
  readonly message: string;
}

/** Checks a configuration file as far as a start would, without starting anything. */
export async function checkConfiguration(path: string): Promise<CheckedConfiguration> {
  try {
    const file = await readConfigurationFile(path);
    const findings = [...listProblems(file), ...clientProblems(file), ...(await settingProblems(file, path))];
    return { problems: await placed(findings, path), scenarios: file.settings.scenarios };
  } catch (error) {
    if (error instanceof FileError) return { problems: error.problems, scenarios: undefined };
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = code === "ENOENT" ? "There is no such file." : `${message}.`;
    return { problems: [{ file: path, line: 1, column: 1, message: reason }], scenarios: undefined };
  }
}

async function placed(findings: readonly Finding[], path: string): Promise<readonly FileProblem[]> {
  if (findings.length === 0) return [];
  const yaml = await parseYaml(await readConfigurationText(path), path);
  const problems = findings.map(({ place, message }) => ({ file: path, ...yaml.place(place), message }));
  return new FileError(problems).problems;
}

function listProblems({ lists, assumptions }: FileConfiguration): Finding[] {
  const problems: Finding[] = [];
  const attempt = <T>(what: () => T): T[] => {
    try {
      return [what()];
    } catch (error) {
      if (!(error instanceof ListSettingsError)) throw error;
      problems.push({ place: stepsOf(error.path), message: error.message });
      return [];
    }
  };
  const compiled = Object.entries(lists).flatMap(([name, settings]) => attempt(() => compileList(name, settings)));
  attempt(() => createOperations(compiled, assumptions));
  return problems;
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

async function settingProblems({ settings }: FileConfiguration, path: string): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const [index, name] of (settings.hostnames ?? []).entries()) {
    try {
      canonicalHostname(name);
    } catch (error) {
      if (!(error instanceof CertsError)) throw error;
      problems.push({ place: ["hostnames", index], message: error.message });
    }
  }
  try {
    const { scenario, scenarios } = await resolveConfiguration({ config: path }, {}, process.cwd());
    if (scenario !== undefined) problems.push(...(await scenarioProblems(scenario, scenarios)));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const { message } = error;
    // The error names the value, and not the key.
    const key = (["publicUrl", "scenarios", "seed"] as const).find((name) => message.includes(settings[name] ?? "\0"));
    problems.push({ place: key === undefined ? [] : [key], message });
  }
  return problems;
}

/** The scenario that is active from the start must exist. */
async function scenarioProblems(name: string, folder: string | undefined): Promise<Finding[]> {
  const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder });
  library.close();
  return library.scenario(name) ? [] : [{ place: ["scenario"], message: unknownScenarioMessage(name, library) }];
}
