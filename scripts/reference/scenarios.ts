import { stringify } from "yaml";
import { type Fault, type Moment, writtenAs } from "../../src/sandbox/scenarios/fault.js";
import { faults as knownFaults } from "../../src/sandbox/scenarios/faults.js";
import { type JsonSchema, scenarioJsonSchema } from "../generate-scenarios.js";
import { code, codes, meanings } from "../markdown.js";
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
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, () => text]));
}

/** A fault on a line, its keys in braces. */
function exampleOf(name: string, { examples = [] }: JsonSchema): string {
  const text = stringify(examples[0], { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true });
  return code(`${name}: ${text.trimEnd()}`);
}

function faultSection([name, schema]: [string, JsonSchema], lists: KeyLists): string {
  const alternatives = schema.anyOf ?? [schema];
  const kinds = alternatives.filter(({ properties }) => properties?.["kind"]);
  const choices = alternatives.flatMap(({ enum: values = [], enumDescriptions = [] }) =>
    enumDescriptions.map((description, index) => {
      const own = kinds.find(({ properties }) => properties?.["kind"]?.const === values[index]);
      return `${meanings([[`\`${values[index]}\``, meaningOf({ description })]])}${keysOf(own)}`;
    }),
  );
  const shapes = alternatives.filter((shape) => shape.properties && !kinds.includes(shape));
  return [
    `### \`${name}\``,
    `${meaningOf(schema)} Example: ${exampleOf(name, schema)}`,
    ...(choices.length > 0 ? [choices.join("\n")] : []),
    ...shapes.map((shape) => {
      const title = shape.description && shape !== schema ? `${shape.description}\n\n` : "";
      return `${title}${lists.of(shape, `${name}.`)}`;
    }),
  ].join("\n\n");
}

/** The keys that a kind of a fault has beside `kind`. */
function keysOf({ properties: { kind: _kind, ...own } = {} }: JsonSchema = {}): string {
  return Object.entries(own)
    .map(([key, member]) => {
      const preset = member.default === undefined ? "" : `; default \`${member.default}\``;
      return `\n  ${meanings([keyRow(key, `${formOf(key, member)}${preset}`, meaningOf(member))])}`;
    })
    .join("");
}

const allFaults: readonly Fault[] = knownFaults;

/** When faults act. Those that act at the same time share a row. */
function moments(): string {
  const rows = new Map<string, string[]>();
  for (const fault of allFaults)
    for (const { written = writtenAs(fault), onToken = "–", elsewhere = "–" } of momentsOf(fault)) {
      const cells = `${onToken} | ${elsewhere}`;
      rows.set(cells, [...(rows.get(cells) ?? []), written]);
    }
  const handshake = "`connection` with `when: handshake` | on every new connection | on every new connection";
  const lines = [...rows].map(([cells, names]) => `${named(names)} | ${cells}`);
  return [
    "| fault | token endpoint | other operations |",
    "|-|-|-|",
    ...[...lines, handshake].map((line) => `| ${line} |`),
  ].join("\n");
}

/** Kinds of one key are named behind it, once. */
function named(names: readonly string[]): string {
  const written = names.map((name, index) => {
    const key = /^(\w+: )\w+$/.exec(name)?.[1];
    return key !== undefined && names[index - 1]?.startsWith(key) ? name.slice(key.length) : name;
  });
  return codes(written);
}

function momentsOf({ acts, moments, onSend }: Fault): readonly Moment[] {
  if (moments) return moments;
  const before = "before anything is checked";
  if (acts === "among-checks")
    return [{ onToken: before, elsewhere: "after certificate, token and scope were accepted" }];
  const when = onSend ? "on the answer, whatever it is" : before;
  return [{ onToken: when, elsewhere: when }];
}
