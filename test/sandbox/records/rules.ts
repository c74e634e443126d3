import { type OperationName, operationNames } from "../../../src/sandbox/operations.js";
import { actsOnHandshake, type Fault, leavesNothing, narrowings } from "../../../src/sandbox/scenarios/fault.js";
import { compileFaults, faults } from "../../../src/sandbox/scenarios/faults.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";

/** A rule with one example of one fault, and an operation on which it acts. */
export interface ExampleRule {
  readonly name: string;
  readonly fault: string;
  /** Whether it is the first example of the fault, on the first of its operations. */
  readonly isFirst: boolean;
  /** `head` is the HEAD of a list. */
  readonly operation: (typeof preferred)[number] | "head";
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
  // RFC 9110 §5.5: octets beyond ASCII, which are Latin-1.
  {
    fault: "respond",
    name: "beyond-ascii",
    act: { respond: { status: 200, headers: { "X-Note": "caf\u00e9" }, body: "\u00e9" } },
  },
];

/** Answers without a body: by their status, and because they are empty. */
const bodiless = [
  { status: 204, chunked: true },
  { status: 205, headers: { Date: "Thu, 01 Jan 1970 00:00:00 GMT", "X-Note": "caf\u00e9" } },
  { status: 304, chunked: true },
  { status: 200, chunked: true },
];

/** These with the first example of each fault on the wire that leaves them. */
const withoutBody = examples.flatMap(({ fault, name, act }) => {
  const [given] = compileFaults(act);
  const isOnWire = given?.fault.onSend ?? given?.fault.onConnection ?? given?.fault.delay;
  if (!name.endsWith("-0") || given === undefined || isOnWire === undefined || leavesNothing(given)) return [];
  if (actsOnHandshake([given])) return [];
  return bodiless.map((respond) => ({ fault, name: `${name}-${respond.status}`, act: { ...act, respond } }));
});

const all = [...examples, ...further, ...withoutBody];
const actKey = "then";

/** The scenario with all of them, for `PUT /scenarios/NAME`. */
export const scenarioText = JSON.stringify({
  description: "One rule for each example of each fault.",
  // The name of the key is made here: an object with `then` looks like a promise.
  rules: all.map(({ name, act }) => ({ name, [actKey]: act })),
});

const { rules } = await parseScenario(scenarioText, "examples", "examples.yaml");

/** Every rule that acts on requests, once for each operation. A new fault is in it by itself. */
const tried: readonly ExampleRule[] = rules.flatMap(({ name, faults: given }, place): ExampleRule[] => {
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
    http: given.find(({ fault }) => fault.http)?.fault.http,
  }));
});

const emptied: ReadonlySet<string> = new Set(withoutBody.map(({ name }) => name));

export const exampleRules = tried.filter(({ name }) => !emptied.has(name));

/** Rules whose answers have no body: because they say so, and because the request is a HEAD if it can be one. */
export const bodilessRules: readonly ExampleRule[] = tried
  .filter(({ isFirst }) => isFirst)
  .map((rule) => (emptied.has(rule.name) || rule.operation !== "list" ? rule : { ...rule, operation: "head" }));

/** Every registered fault. */
export const faultNames: readonly string[] = (faults as readonly Fault[]).map(({ name, under }) =>
  under === undefined ? name : `${under}: ${name}`,
);
