import { stringify } from "yaml";
import { type Fault, type Moment, writtenAs } from "../../src/sandbox/scenarios/fault.js";
import { faults as knownFaults } from "../../src/sandbox/scenarios/faults.js";
import { type JsonSchema, scenarioJsonSchema } from "../generate-scenarios.js";
import { meanings } from "../markdown.js";
import { formOf, KeyLists, keyRow, meaningOf } from "./key-list.js";

/** The keys of a scenario, and its faults. */
export function scenarioTables() {
  const schema = scenarioJsonSchema();
  const rule = schema.properties?.["rules"]?.items ?? {};
  const when = rule.properties?.["when"] ?? {};
  const then = rule.properties?.["then"] ?? {};
  // In the order of the page, because a list refers to those before it.
  const lists = new KeyLists();
  const texts = {
    "scenario-file": lists.of(schema),
    "scenario-when": lists.of(when, "when."),
    "scenario-rule": lists.of(rule),
    "scenario-faults": Object.entries(then.properties ?? {})
      .map((fault) => faultSection(fault, lists))
      .join("\n\n"),
    "scenario-moments": moments(),
    "scenario-versions": versions(),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, () => text]));
}

/** A fault on a line, its keys in braces. */
function exampleOf(name: string, { examples = [] }: JsonSchema): string {
  const fault = { [name]: examples[0] };
  const text = stringify(fault, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true });
  return `\`\`\`yaml\nthen: ${text.trimEnd()}\n\`\`\``;
}

function faultSection([name, schema]: [string, JsonSchema], lists: KeyLists): string {
  const alternatives = schema.anyOf ?? [schema];
  const choices = alternatives.flatMap(({ enum: values = [], enumDescriptions = [] }) =>
    enumDescriptions.map((description, index) => [`\`${values[index]}\``, meaningOf({ description })] as const),
  );
  const kinds = alternatives.filter(({ properties }) => properties?.["kind"]);
  const shapes = alternatives.filter((shape) => shape.properties && !kinds.includes(shape));
  return [
    `### \`${name}\``,
    meaningOf(schema),
    exampleOf(name, schema),
    ...(choices.length > 0 || kinds.length > 0 ? [meanings([...choices, ...rowsOf(kinds)])] : []),
    ...shapes.map((shape) => {
      const title = shape.description && shape !== schema ? `${shape.description}\n\n` : "";
      return `${title}${lists.of(shape, `${name}.`)}`;
    }),
  ].join("\n\n");
}

/** The keys that each kind of a fault has beside `kind`. */
function rowsOf(kinds: readonly JsonSchema[]) {
  return kinds.flatMap(({ properties: { kind, ...own } = {} }) =>
    Object.entries(own).map(([key, member]) => {
      const preset = member.default === undefined ? "" : `; default \`${member.default}\``;
      return keyRow(`{ kind: ${kind?.const}, ${key} }`, `${formOf(key, member)}${preset}`, meaningOf(member));
    }),
  );
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
