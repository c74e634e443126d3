import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closure, readDiagram, reduction } from "./diagram.js";
import { imports, packages, sources } from "./imports.js";
import { blocksOf, codeSpansOf, root } from "./markdown.js";

const path = "docs/architecture.md";
const page = { path, text: readFileSync(join(root, path), "utf8") };
const diagrams = blocksOf(page).filter(({ kind }) => kind === "mermaid");
const [ofRequest, ofFolders] = diagrams.map(({ text }) => readDiagram(text));
if (!ofRequest || !ofFolders) throw new Error(`${path} has two diagrams.`);

/** Where each may be imported, so that it can be replaced. */
const homes: Readonly<Record<string, readonly string[]>> = {
  jose: ["tokens/"],
  "node-forge": ["pki/"],
  "@redis/client": ["shared/"],
  yaml: ["yaml/"],
  "@apidevtools/json-schema-ref-parser": ["import/"],
  "@eslint-community/regexpp": ["text/", "import/"],
  re2js: ["text/"],
  commander: ["cli/"],
  "prom-client": ["metrics/"],
  "node:tls": ["tls/", "cli/"],
  "node:https": ["cli/", "library/"],
};

/** A folder of src/, or a file directly in it. */
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

  it.each([...ofRequest.dotted])("%s is not an import: it is passed", (pair) => {
    expect(imported(pair)).toBe(false);
  });
});

describe("the diagram of imports", () => {
  const boxOf = new Map([...ofFolders.boxes].flatMap(([id, labels]) => labels.map((label) => [label, id] as const)));
  const between = known
    .map(({ from, to }) => [boxOf.get(memberOf(from)), boxOf.get(memberOf(to))] as const)
    .filter(([from, to]) => from !== to);
  const real = new Set(between.map((pair) => pair.join(" ")));

  it("has everything in src/ in exactly one box", () => {
    expect([...ofFolders.boxes.values()].flat().sort()).toEqual(members);
  });

  it("has no cycle", () => {
    const reached = closure(real);
    expect([...ofFolders.boxes.keys()].filter((id) => reached.has(`${id} ${id}`))).toEqual([]);
  });

  it("has the arrows that follow from the imports, and no others", () => {
    expect([...ofFolders.arrows].sort()).toEqual([...reduction(real)].sort());
  });

  it("is not empty, because imports were found", () => {
    expect(known.length).toBeGreaterThan(400);
    expect(real.size).toBeGreaterThan(25);
  });
});

it("there are no import cycles between files, types included", () => {
  let left = known;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const importing = new Set(left.map(({ from }) => from));
    const imported = new Set(left.map(({ to }) => to));
    left = left.filter(({ from, to }) => importing.has(to) && imported.has(from));
  }
  expect(left.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

describe("a package, or a part of Node that opens connections, is imported in fixed places", () => {
  it.each(Object.entries(homes))("%s", (name, folders) => {
    const found = packages().filter(({ to }) => to === name || to.startsWith(`${name}/`));
    expect(found.map(({ from }) => memberOf(from)).filter((member) => !folders.includes(member))).toEqual([]);
    expect(found).not.toEqual([]);
  });
});

it("the dashboard's views and its code for browsers import nothing of Node, and only the editor imports a package", () => {
  const ofBrowsers = packages().filter(({ from }) => /^admin\/dashboard\/(view|client)\//.test(from));
  const isOfEditor = ({ from, to }: { from: string; to: string }) =>
    from.startsWith("admin/dashboard/client/editor/") && /^@(codemirror|lezer)\//.test(to);
  // Only types of zod.
  expect(ofBrowsers.filter((each) => each.to !== "zod" && !isOfEditor(each))).toEqual([]);
});

it("the table names every folder of src/, and no other", () => {
  const named = codeSpansOf(page).map(({ target }) => target);
  const inTable = named.filter((span) => /^src\/[\w-]+\/$/.test(span)).map((span) => span.slice("src/".length));
  expect([...new Set(inTable)].sort()).toEqual(folders);
});
