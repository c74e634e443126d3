import { type OperationName, operationNames } from "../../../src/sandbox/operations.js";
import { actsOnHandshake, type Fault, narrowings } from "../../../src/sandbox/scenarios/fault.js";
import { faults } from "../../../src/sandbox/scenarios/faults.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";

/** A rule with one example of one fault, and an operation on which it acts. */
export interface ExampleRule {
  readonly name: string;
  readonly fault: string;
  /** Whether it is the first example of the fault, on the first of its operations. */
  readonly isFirst: boolean;
  readonly operation: (typeof preferred)[number];
  readonly http: 1 | 2 | undefined;
}

/** The operations with which faults are tried; a list has the longest answer. */
export const preferred = ["list", "token", "ping"] as const satisfies readonly OperationName[];

/** An example with waits that are too short to be noticed. */
function quick({ name, keys }: Fault, example: unknown): unknown {
  if (name === "delay") return JSON.parse(JSON.stringify(example).replaceAll(/\d+m?s/g, "2ms"));
  if (!keys || !("duration" in keys)) return example;
  return { ...(typeof example === "string" ? { kind: example } : (example as object)), duration: "2ms" };
}

const examples = (faults as readonly Fault[]).flatMap((fault) =>
  fault.examples.map((example, place) => ({
    fault: fault.under === undefined ? fault.name : `${fault.under}: ${fault.name}`,
    name: `${fault.under ?? "own"}-${fault.name}-${place}`,
    act: { [fault.under ?? fault.name]: quick(fault, example) },
  })),
);

/** Answers whose codes no table has. */
const further = [
  { fault: "respond", name: "new-code", act: { respond: { status: 422, body: { code: "SOMETHING_NEW" } } } },
  { fault: "respond", name: "new-code-200", act: { respond: { status: 200, body: { code: "SOMETHING_NEW" } } } },
  { fault: "alter", name: "altered-code", act: { alter: { status: 503, body: { code: "SOMETHING_NEW" } } } },
  { fault: "alter", name: "altered-code-200", act: { alter: { body: { code: "SOMETHING_NEW" } } } },
  {
    fault: "respond",
    name: "upgrade",
    act: { respond: { status: 200, headers: { Upgrade: "h2c", "Keep-Alive": "timeout=9", TE: "trailers" } } },
  },
  { fault: "alter", name: "altered-upgrade", act: { alter: { headers: { Upgrade: "h2c", Connection: "close" } } } },
  {
    fault: "error",
    name: "error-upgrade",
    act: { error: { code: "SERVICE_UNAVAILABLE", headers: { Upgrade: "h2c" } } },
  },
  { fault: "alter", name: "no-body", act: { alter: { status: 204 } } },
];

const all = [...examples, ...further];
const actKey = "then";

/** The scenario with all of them, for `PUT /scenarios/NAME`. */
export const scenarioText = JSON.stringify({
  description: "One rule for each example of each fault.",
  // The name of the key is made here: an object with `then` looks like a promise.
  rules: all.map(({ name, act }) => ({ name, [actKey]: act })),
});

const { rules } = await parseScenario(scenarioText, "examples", "examples.yaml");

/** Every rule that acts on requests, once for each operation. A new fault is in it by itself. */
export const exampleRules: readonly ExampleRule[] = rules.flatMap(({ name, faults: given }, place): ExampleRule[] => {
  if (actsOnHandshake(given)) return [];
  const only = narrowings(given)[0]?.only ?? operationNames;
  // Only rows have what this sets to null.
  const isOfRows = JSON.stringify(all[place]?.act).includes("setNull");
  const operations = isOfRows ? ["list" as const] : preferred.filter((candidate) => only.includes(candidate));
  const [first] = given;
  if (operations.length === 0 || first === undefined)
    throw new Error(`The rule ${name} acts on nothing that is tried.`);
  return operations.map((operation, at) => ({
    name,
    fault: all[place]?.fault ?? "",
    isFirst: at === 0 && !/-[1-9]$/.test(name),
    operation,
    http: first.fault.http,
  }));
});

/** Every registered fault. */
export const faultNames: readonly string[] = (faults as readonly Fault[]).map(({ name, under }) =>
  under === undefined ? name : `${under}: ${name}`,
);
