import { hash } from "node:crypto";
import { nameLength } from "../base/text/name.js";
import { editYaml } from "../base/yaml/edit.js";
import type { Role } from "../sandbox/journal/role.js";
import { parseScenario } from "../sandbox/scenarios/parse.js";
import type { Scenario } from "../sandbox/scenarios/scenario.js";
import type { ExploreFault } from "./faults.js";
import { conditionsOf, pointName } from "./point.js";

/** A scenario that makes one fault at one point. */
export interface CellScenario {
  /** The name of its file, without `.yaml`: `list.payments.middle.truncate`. */
  readonly name: string;
  /** What the file says. */
  readonly content: { readonly description: string; readonly rules: readonly [object] };
  /** The file, which `check` accepts and `start --scenario` runs. */
  readonly yaml: string;
}

/** The scenario of a cell. Its rule counts the requests of all clients together: the first one of all meets the fault. */
export async function scenarioOf(point: Role, fault: ExploreFault): Promise<CellScenario> {
  const { operation: ofPoint, role } = conditionsOf(point);
  const operation = { ...ofPoint, ...(fault.http !== undefined && { http: fault.http }) };
  const conditions = fault.always
    ? { when: operation, ...(role && { from: role }) }
    : { when: { ...operation, ...role }, limit: 1 };
  const frequency = fault.always ? "from there on" : "once; after POST /reset of the admin API, once more";
  const description = `The failure ${fault.name.replace(/-always$/, "")} at ${pointName(point)}, ${frequency}. Made by payments-sandbox explore.`;
  const content = {
    description,
    // biome-ignore lint/suspicious/noThenProperty: a rule of a scenario has this key
    rules: [{ name: fault.name, ...conditions, share: "all", then: fault.does }] as const,
  };
  const edits = (["description", "rules"] as const).map((key) => ({ path: [key] as const, value: content[key] }));
  return { name: fileName(point, fault), content, yaml: await editYaml("", "explore", edits) };
}

/**
 * The same for `startSandbox`, as the layer above every scenario. `Sandbox-Fault` names the cell:
 * `explore:list.payments.middle/truncate#1`. No scenario of a user has a name with a colon.
 */
export async function layerOf(point: Role, { name, yaml }: CellScenario): Promise<Scenario> {
  return parseScenario(yaml, `explore:${pointName(point)}`, `${name}.yaml`);
}

/** A name of a list may be as long as that of a scenario. */
function fileName(point: Role, { name }: ExploreFault): string {
  const whole = `${pointName(point)}.${name}`;
  if (whole.length <= nameLength) return whole;
  const end = `-${hash("sha256", whole).slice(0, 8)}.${name}`;
  return whole.slice(0, nameLength - end.length) + end;
}
