import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closure, readDiagram, reduction } from "./diagram.js";
import { imports, sources } from "./imports.js";
import { blocksOf, codeSpansOf, root } from "./markdown.js";

const path = "docs/architecture.md";
const page = { path, text: readFileSync(join(root, path), "utf8") };
const diagrams = blocksOf(page).filter(({ kind }) => kind === "mermaid");
const [ofRequest, ofFolders] = diagrams.map(({ text }) => readDiagram(text));
if (!ofRequest || !ofFolders) throw new Error(`${path} has two diagrams.`);

/** A folder of src/, or a file that lies there by itself. */
const memberOf = (file: string) => (file.includes("/") ? `${file.split("/")[0]}/` : file);
const members = [...new Set(sources().map(memberOf))].sort();
const folders = members.filter((member) => member.endsWith("/"));
const known = imports();

describe("the diagram of one request", () => {
  const files = (id: string) => ofRequest.boxes.get(id) ?? [];
  const imported = (pair: string) => {
    const [from = "", to = ""] = pair.split(" ");
    return known.some((each) => files(from).includes(each.from) && files(to).includes(each.to));
  };

  it("names files of src/", () => {
    expect([...ofRequest.boxes.values()].flat().filter((file) => !sources().includes(file))).toEqual([]);
  });

  it.each([...ofRequest.arrows])("%s is an import", (pair) => {
    expect(imported(pair)).toBe(true);
  });

  it.each([...ofRequest.dotted])("%s is none: it is handed over", (pair) => {
    expect(imported(pair)).toBe(false);
  });
});

describe("the diagram of imports", () => {
  const boxOf = new Map([...ofFolders.boxes].flatMap(([id, labels]) => labels.map((label) => [label, id] as const)));
  const between = known
    // Lint looks away there, and the source says why.
    .filter(({ excepted }) => !excepted)
    .map(({ from, to }) => [boxOf.get(memberOf(from)), boxOf.get(memberOf(to))] as const)
    .filter(([from, to]) => from !== to);
  const real = new Set(between.map((pair) => pair.join(" ")));

  it("has everything in src/ in one box", () => {
    expect([...ofFolders.boxes.values()].flat().sort()).toEqual(members);
  });

  it("has no cycle", () => {
    const reached = closure(real);
    expect([...ofFolders.boxes.keys()].filter((id) => reached.has(`${id} ${id}`))).toEqual([]);
  });

  it("has the arrows that follow from the imports, and no others", () => {
    expect([...ofFolders.arrows].sort()).toEqual([...reduction(real)].sort());
  });

  it("is not empty: imports were found", () => {
    expect(known.length).toBeGreaterThan(400);
    expect(real.size).toBeGreaterThan(25);
  });

  const fences = readFences();

  it("agrees with the fences of biome.json: what one forbids, nobody imports", () => {
    const crossed = known.filter(
      ({ from, to, excepted }) => !excepted && fences.get(memberOf(from))?.has(memberOf(to)),
    );
    expect(crossed).toEqual([]);
  });

  const reached = closure(ofFolders.arrows);
  const apart = folders.flatMap((from) =>
    folders
      .filter((to) => boxOf.get(from) !== boxOf.get(to) && !reached.has(`${boxOf.get(from)} ${boxOf.get(to)}`))
      .map((to) => [from, to] as const),
  );

  it.each(folders)("agrees with the fence of %s: it forbids what no arrow leads to", (folder) => {
    const open = apart.filter(([from, to]) => from === folder && !fences.get(from)?.has(to));
    expect(open).toEqual([]);
  });
});

it("the table names every folder of src/, and no other", () => {
  const named = codeSpansOf(page).map(({ target }) => target);
  const inTable = named.filter((span) => /^src\/[\w-]+\/$/.test(span)).map((span) => span.slice("src/".length));
  expect([...new Set(inTable)].sort()).toEqual(folders);
});

/** What each folder may not import, by biome.json: folders, and files that lie in src/ itself. */
function readFences(): ReadonlyMap<string, ReadonlySet<string>> {
  const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  const fences = new Map<string, ReadonlySet<string>>();
  for (const { includes, linter } of overrides) {
    const patterns = linter?.rules?.style?.noRestrictedImports?.options?.patterns ?? [];
    const groups: string[] = patterns.flatMap(({ group }: { readonly group: readonly string[] }) => group);
    for (const include of includes as string[]) {
      const [, folder] = /^src\/([\w-]+\/)\*\*$/.exec(include) ?? [];
      if (folder === undefined) continue;
      const forbidden = groups.map((glob) => /^\*\*\/\.\.\/(?:([\w-]+\/)\*\*|([\w-]+)\.js)$/.exec(glob));
      fences.set(folder, new Set(forbidden.flatMap((match) => (match ? [match[1] ?? `${match[2]}.ts`] : []))));
    }
  }
  return fences;
}
