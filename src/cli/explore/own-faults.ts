import { basename, extname, resolve } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { parseYaml } from "../../base/yaml/document.js";
import type { ExploreFault } from "../../explore/faults.js";
import type { ReachedPoint } from "../../explore/points.js";
import { readConfigurationText } from "../../sandbox/config/file.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { parseScenario } from "../../sandbox/scenarios/parse.js";

/** A fault of the user's own. */
export interface OwnFault {
  readonly fault: ExploreFault;
  /** Whether its rule can match at a point. */
  readonly isAt: (point: ReachedPoint) => boolean;
}

/** The conditions that a point can have as well. */
const narrowed = new Set(["operation", "list", "page", "token"]);

/**
 * Reads the scenario files of `--fault`: each has one rule, which is applied at each point that it can match.
 * @throws FileError or SettingError for a file that cannot be used
 */
export async function ownFaults(paths: readonly string[]): Promise<readonly OwnFault[]> {
  const found: OwnFault[] = [];
  for (const path of paths) found.push(await ownFault(path));
  return found;
}

async function ownFault(path: string): Promise<OwnFault> {
  const file = displayPath(resolve(path));
  const text = await readConfigurationText(path);
  const name = basename(path, extname(path));
  await parseScenario(text, name, file);
  const { value } = await parseYaml(text, file);
  const rules = isObject(value) && Array.isArray(value["rules"]) ? value["rules"] : [];
  const [rule = {}] = rules as readonly JsonObject[];
  if (rules.length !== 1) throw unusable(path, "give a scenario with one rule");
  const { when = {}, then, limit } = rule as { when?: JsonObject; then: JsonObject; limit?: number };
  const other = Object.keys(when).find((key) => !narrowed.has(key));
  if (other !== undefined)
    throw unusable(path, `its condition ${quote(other)} cannot be kept: a point gives the others; leave it out`);
  const always = limit === undefined;
  return {
    fault: { name, at: "every-operation", always, passes: !always, holds: false, actsLater: false, does: then },
    isAt: ({ operation, list, role }) =>
      allows(when["operation"], operation) &&
      allows(when["list"], list) &&
      allows(when["page"], role.role) &&
      allows(when["token"], role.role),
  };
}

/** Whether a condition allows a value: it is not given, is the value, or has it. */
function allows(condition: unknown, value: string | undefined): boolean {
  if (condition === undefined) return true;
  return Array.isArray(condition) ? condition.includes(value) : condition === value;
}

function unusable(path: string, problem: string): SettingError {
  return new SettingError(`--fault is ${quote(path)}; ${problem}.`);
}
