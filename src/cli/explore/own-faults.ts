import { basename, extname, resolve } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import type { JsonObject } from "../../base/text/json-object.js";
import { namePattern } from "../../base/text/name.js";
import { quote } from "../../base/text/printable.js";
import { parseYaml } from "../../base/yaml/document.js";
import { type ExploreFault, exploreFaults, fromThereOn, once } from "../../explore/faults.js";
import type { ReachedPoint } from "../../explore/points.js";
import { readConfigurationText } from "../../sandbox/config/file.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { actsOnHandshake, httpOf, narrowings } from "../../sandbox/scenarios/fault.js";
import { parseScenario } from "../../sandbox/scenarios/parse.js";

/** A fault of the user's own. */
export interface OwnFault {
  readonly fault: ExploreFault;
  /** Whether its rule can match at a point. */
  readonly isAt: (point: ReachedPoint) => boolean;
}

/** The conditions that a point can have as well. */
const narrowed = new Set(["operation", "list", "page", "token"]);

/** What a file can say besides its rule. What a correct client does is not asked here. */
const keptParts = new Set(["$schema", "description", "expect"]);

/** What a rule can say besides: a cell decides when it begins, and how often it acts. */
const kept = new Set(["name", "when", "limit", "share", "then"]);

/**
 * Reads the scenario files of `--fault`: each has one rule, which is applied at each point that it can match.
 * @throws FileError or SettingError for a file that cannot be used
 */
export async function ownFaults(paths: readonly string[]): Promise<readonly OwnFault[]> {
  const taken = new Set(exploreFaults.map(({ name }) => name));
  const found: OwnFault[] = [];
  for (const path of paths) {
    const own = await ownFault(path);
    if (taken.has(own.fault.name)) throw unusable(path, `${quote(own.fault.name)} is the name of another fault`);
    taken.add(own.fault.name);
    found.push(own);
  }
  return found;
}

async function ownFault(path: string): Promise<OwnFault> {
  const file = displayPath(resolve(path));
  const text = await readConfigurationText(path);
  const name = basename(path, extname(path));
  if (!namePattern.test(name))
    throw unusable(path, "the name of the file is that of the fault: use letters, digits, . _ -");
  const {
    rules: [compiled, ...more],
  } = await parseScenario(text, name, file);
  if (compiled === undefined || more.length > 0) throw unusable(path, "give a scenario with one rule");
  const { faults } = compiled;
  if (actsOnHandshake(faults)) throw unusable(path, "its fault acts on a handshake, and a point is a request");
  const { value } = await parseYaml(text, file);
  const { rules, ...others } = value as { readonly rules: readonly [GivenRule] };
  const part = Object.keys(others).find((each) => !keptParts.has(each));
  if (part !== undefined)
    throw unusable(path, `its part ${quote(part)} cannot be kept: a fault is one rule; leave it out`);
  const [rule] = rules;
  const { when = {}, then, limit } = rule;
  const key = Object.keys(rule).find((each) => !kept.has(each));
  if (key !== undefined)
    throw unusable(
      path,
      `its key ${quote(key)} cannot be kept: a cell decides which requests meet the fault; leave it out`,
    );
  const other = Object.keys(when).find((each) => !narrowed.has(each));
  if (other !== undefined)
    throw unusable(path, `its condition ${quote(other)} cannot be kept: a point gives the others; leave it out`);
  if (typeof when["page"] === "number")
    throw unusable(path, 'its condition "page" is a number; give a place: first, middle, last or only');
  if (limit !== undefined && limit !== 1)
    throw unusable(path, `its limit is ${limit}; give 1 for once, or none for always`);
  const holds = faults.some(({ fault }) => ["hang", "dead", "stall"].includes(fault.name));
  const http = httpOf(faults);
  return {
    fault: limit === undefined ? fromThereOn(name, then, { holds }) : once(name, then, { holds }),
    isAt: ({ operation, list, role, http2 }) =>
      narrowings(faults).every(({ only }) => only.includes(role.operation)) &&
      (http === undefined || (http === 2) === http2) &&
      allows(when["operation"], operation) &&
      allows(when["list"], list) &&
      allows(when["page"], operation === "list" ? role.role : undefined) &&
      allows(when["token"], operation === "token" ? role.role : undefined),
  };
}

/** A rule that was accepted, as it is written. */
interface GivenRule {
  readonly when?: JsonObject;
  readonly then: JsonObject;
  readonly limit?: number;
}

/** Whether a condition allows a value: it is not given, is the value, or has it. */
function allows(condition: unknown, value: string | undefined): boolean {
  if (condition === undefined) return true;
  return Array.isArray(condition) ? condition.includes(value) : condition === value;
}

function unusable(path: string, problem: string): SettingError {
  return new SettingError(`--fault is ${quote(path)}; ${problem}.`);
}
