import { stringify } from "yaml";
import { type Fault, type Moment, writtenAs } from "../../src/sandbox/scenarios/fault.js";
import { faults as knownFaults } from "../../src/sandbox/scenarios/faults.js";
import { type JsonSchema, scenarioJsonSchema } from "../generate-scenarios.js";
import { meanings, table } from "../markdown.js";
import { formOf, KeyTables, meaningOf } from "./key-table.js";

/** The keys of a scenario, and its faults. */
export function scenarioTables() {
  const schema = scenarioJsonSchema();
  const rule = schema.properties?.["rules"]?.items ?? {};
  const when = rule.properties?.["when"] ?? {};
  const then = rule.properties?.["then"] ?? {};
  const { rules: _rules, $schema: _schema, description: _description, ...ofFile } = schema.properties ?? {};
  const { when: _when, then: _then, ...ofRule } = rule.properties ?? {};
  // In the order of the page, because a table refers to those before it.
  const tables = new KeyTables();
  const texts = {
    "scenario-file": `${tables.of(schema)}\n\n${examples(ofFile)}`,
    "scenario-when": `${tables.of(when, "when.")}\n\n${examples(when.properties ?? {}, "when")}`,
    "scenario-rule": `${tables.of(rule)}\n\n${examples(ofRule)}`,
    "scenario-faults": Object.entries(then.properties ?? {})
      .map((fault) => faultSection(fault, tables))
      .join("\n\n"),
    "scenario-moments": moments(),
    "scenario-versions": versions(),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, () => text]));
}

/**
 * Examples of some keys, one per line: those that show a key that no earlier one shows.
 * @param parent the key that contains them
 */
function examples(members: Readonly<Record<string, JsonSchema>>, parent?: string): string {
  const lines = Object.entries(members).flatMap(([key, { examples: given = [] }]) => {
    const shown = new Set<string>();
    return given.flatMap((value) => {
      const keys = keysIn({ [key]: value });
      const isNew = keys.some((each) => !shown.has(each));
      for (const each of keys) shown.add(each);
      return isNew ? [exampleLine(parent === undefined ? { [key]: value } : { [parent]: { [key]: value } })] : [];
    });
  });
  return `\`\`\`yaml\n${lines.join("\n")}\n\`\`\``;
}

/** The keys of a value with their parents, and the kind of a fault, which has keys of its own. */
function keysIn(value: unknown, below = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => keysIn(member, below));
  if (typeof value !== "object" || value === null) return [];
  const kind = "kind" in value ? `${value.kind}.` : "";
  return Object.entries(value).flatMap(([key, member]) => [
    below + kind + key,
    ...keysIn(member, `${below}${kind}${key}.`),
  ]);
}

/** One key on a line, its value in braces. */
function exampleLine(example: Readonly<Record<string, unknown>>): string {
  const [[key, value] = ["", undefined]] = Object.entries(example);
  return `${key}: ${stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trimEnd()}`;
}

function faultSection([name, schema]: [string, JsonSchema], tables: KeyTables): string {
  const alternatives = schema.anyOf ?? [schema];
  const choices = alternatives.flatMap(({ enum: values = [], enumDescriptions = [] }) =>
    enumDescriptions.map((description, index) => [`\`${values[index]}\``, meaningOf({ description })] as const),
  );
  const kinds = alternatives.filter(({ properties }) => properties?.["kind"]);
  const shapes = alternatives.filter((shape) => shape.properties && !kinds.includes(shape));
  return [
    `### \`${name}\``,
    meaningOf(schema),
    examples({ [name]: schema }, "then"),
    ...(choices.length > 0 ? [meanings(choices)] : []),
    ...(kinds.length > 0 ? [kindTable(kinds)] : []),
    ...shapes.map((shape) => {
      const title = shape.description && shape !== schema ? `${shape.description}\n\n` : "";
      return `${title}${tables.of(shape, `${name}.`)}`;
    }),
  ].join("\n\n");
}

/** The keys that each kind of a fault has beside `kind`. */
function kindTable(kinds: readonly JsonSchema[]): string {
  const rows = kinds.flatMap(({ properties: { kind, ...own } = {} }) =>
    Object.entries(own).map(([key, member]) => {
      const preset = member.default === undefined ? "" : `; default \`${member.default}\``;
      return [`\`{ kind: ${kind?.const}, ${key} }\``, `${formOf(key, member)}${preset}`, meaningOf(member)];
    }),
  );
  return table(["key", "value", "meaning"], rows);
}

const allFaults: readonly Fault[] = knownFaults;

/** When faults act. Those that act at the same time share a row. */
function moments(): string {
  const rows = new Map<string, string[]>();
  for (const fault of allFaults)
    for (const { written = writtenAs(fault), onToken = "–", elsewhere = "–" } of momentsOf(fault)) {
      const cells = `${onToken} | ${elsewhere}`;
      rows.set(cells, [...(rows.get(cells) ?? []), `\`${written}\``]);
    }
  const lines = [...rows].map(([cells, names]) => `| ${names.join(", ")} | ${cells} |`);
  return ["| fault | token endpoint | every other operation |", "|-|-|-|", ...lines].join("\n");
}

function momentsOf(fault: Fault): readonly Moment[] {
  const connecting = "on every new connection";
  const written = `${fault.under}: { kind: ${fault.name}, when: handshake }`;
  const inHandshake = fault.onHandshake ? [{ written, onToken: connecting, elsewhere: connecting }] : [];
  return [...usualMomentsOf(fault), ...inHandshake];
}

function usualMomentsOf({ acts, moments, onSend }: Fault): readonly Moment[] {
  if (moments) return moments;
  const before = "before anything is checked";
  if (acts === "among-checks")
    return [{ onToken: before, elsewhere: "after certificate, token and scope were accepted" }];
  const when = onSend ? "on the answer, whatever it is" : before;
  return [{ onToken: when, elsewhere: when }];
}

/** What faults do over each version of HTTP, where that differs. */
function versions(): string {
  const rows = allFaults.flatMap((fault) => {
    const { http, versions = [] } = fault;
    const absent = "its rule does not match: it does not act, and does not count";
    const only =
      http === undefined ? [] : [{ http2: http === 2 ? "acts" : absent, http1: http === 1 ? "acts" : absent }];
    return [...versions, ...only].map(
      ({ http2, http1, ...row }) =>
        `| \`${("written" in row && row.written) || writtenAs(fault)}\` | ${http2} | ${http1} |`,
    );
  });
  return ["| fault | over HTTP/2 | over HTTP/1.1 |", "|-|-|-|", ...rows].join("\n");
}
