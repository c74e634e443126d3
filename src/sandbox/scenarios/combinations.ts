import { enumerated } from "../../base/text/enumerated.js";
import { type OperationName, operationNames } from "../operations.js";
import type { GivenCondition } from "./condition.js";
import { actsOnHandshake, type GivenFault, httpOf, narrowings } from "./fault.js";
import type { Rule } from "./rule.js";
import { versionName } from "./words.js";

/** A part of a rule, as its key is written, and the operations that it is for. */
type Part = readonly [key: string, only: readonly OperationName[]];

/** The operations that a rule is for: those of all its conditions and faults. */
export function operationsIn(when: readonly GivenCondition[], faults: readonly GivenFault[]): readonly OperationName[] {
  const parts = [...partsIn("when", when), ...partsOf(faults)];
  return operationNames.filter((name) => parts.every(([, only]) => only.includes(name)));
}

/** Which parts of a rule cannot stand together, as a sentence; undefined if all can. */
export function conflictIn(rule: Rule): string | undefined {
  const { when, from, faults } = rule;
  if (actsOnHandshake(faults)) return conflictInHandshake(rule);
  let left = operationNames as readonly OperationName[];
  let before: Part | undefined;
  for (const part of [...partsIn("when", when), ...partsIn("from", from), ...partsOf(faults)]) {
    const [key, only] = part;
    const remaining = left.filter((name) => only.includes(name));
    if (remaining.length === 0 && before !== undefined)
      return `\`${before[0]}\` is for ${enumerated(left, "and")}, and \`${key}\` for ${enumerated(only, "and")}: leave one of them out.`;
    if (remaining.length < left.length) before = part;
    left = remaining;
  }
  const version = httpOf(faults);
  const given = when.find(({ condition }) => condition.name === "http");
  if (version !== undefined && given !== undefined && given.value !== version)
    return `The fault acts over ${versionName(version)} only: leave out \`when.http\`.`;
  return undefined;
}

/** Before the handshake, the client is not known. */
function conflictInHandshake({ when, from }: Rule): string | undefined {
  const unknown = when.find(({ condition }) => !condition.inHandshake)?.condition.name ?? (from && "from");
  return unknown && `In the handshake nothing is known of a request: leave out ${unknown}.`;
}

function partsIn(where: "when" | "from", given: readonly GivenCondition[] = []): readonly Part[] {
  return given.flatMap(({ condition, value }): Part[] => {
    const only = condition.operations?.(value);
    return only === undefined ? [] : [[`${where}.${condition.name}`, only]];
  });
}

function partsOf(faults: readonly GivenFault[]): readonly Part[] {
  return faults.flatMap((given): Part[] =>
    narrowings([given]).flatMap(({ only, narrowsRule }): Part[] =>
      narrowsRule ? [[`then.${given.fault.under ?? given.fault.name}`, only]] : [],
    ),
  );
}
