import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closure, readDiagram } from "./diagram.js";
import { imports, packages, sources } from "./imports.js";
import { linesOfFolders } from "./lines-of-code.js";
import { blocksOf, codeSpansOf, root } from "./markdown.js";

const path = "docs/architecture.md";
const page = { path, text: readFileSync(join(root, path), "utf8") };
const diagrams = blocksOf(page).filter(({ kind }) => kind === "mermaid");
const [ofRequest, ofWings, ofSandbox] = diagrams.map(({ text }) => readDiagram(text));
if (!ofRequest || !ofWings || !ofSandbox) throw new Error(`${path} has three diagrams.`);

/** Where each may be imported, so that it can be replaced. */
const homes: Readonly<Record<string, readonly string[]>> = {
  jose: ["sandbox/tokens/"],
  "node-forge": ["sandbox/pki/"],
  "@redis/client": ["replicas/"],
  yaml: ["base/yaml/"],
  "@apidevtools/json-schema-ref-parser": ["imitate/import/"],
  "@eslint-community/regexpp": ["base/text/", "imitate/import/"],
  re2js: ["base/text/"],
  sax: ["report/"],
  "ajv-formats": ["imitate/import/"],
  "@commander-js/extra-typings": ["cli/"],
  "prom-client": ["admin/metrics/"],
  "node:tls": ["sandbox/tls/", "sandbox/config/server-files.ts", "cli/"],
  "node:https": ["cli/", "library/"],
};

/** A wing: a folder of src/, or a file directly in it. */
const wingOf = (file: string) => (file.includes("/") ? `${file.split("/")[0]}/` : file);
/** What is in the wing of the service: its folders, and the files directly in it. */
const partOf = (file: string) => {
  const [, ...inside] = file.split("/");
  return inside.length > 1 ? `${inside[0]}/` : (inside[0] ?? "");
};
const known = imports();
const inSandbox = (file: string) => file.startsWith("sandbox/");

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
});

describe.each([
  ["of wings", ofWings, sources(), known, wingOf],
  [
    "of the service",
    ofSandbox,
    sources().filter(inSandbox),
    known.filter(({ from, to }) => inSandbox(from) && inSandbox(to)),
    partOf,
  ],
] as const)("the diagram %s", (_, diagram, files, among, memberOf) => {
  const boxOf = new Map([...diagram.boxes].flatMap(([id, labels]) => labels.map((label) => [label, id] as const)));
  const between = among
    .map(({ from, to }) => [boxOf.get(memberOf(from)), boxOf.get(memberOf(to))] as const)
    .filter(([from, to]) => from !== to);
  const real = new Set(between.map((pair) => pair.join(" ")));

  it("has every member in exactly one box", () => {
    expect([...diagram.boxes.values()].flat().sort()).toEqual([...new Set(files.map(memberOf))].sort());
  });

  it("has no cycle", () => {
    const reached = closure(diagram.arrows);
    expect([...diagram.boxes.keys()].filter((id) => reached.has(`${id} ${id}`))).toEqual([]);
  });

  it("has arrows for all imports, and an import for each arrow", () => {
    const allowed = closure(diagram.arrows);
    expect([...real].filter((pair) => !allowed.has(pair))).toEqual([]);
    expect([...diagram.arrows].filter((pair) => !real.has(pair))).toEqual([]);
  });

  it("is not empty, because imports were found", () => {
    expect(real.size).toBeGreaterThan(10);
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
    expect(found.filter(({ from }) => !folders.some((folder) => from.startsWith(folder)))).toEqual([]);
    expect(found).not.toEqual([]);
  });
});

it("the code of the dashboard for browsers imports nothing of Node, and no package but Preact and the editor's", () => {
  const ofBrowsers = packages().filter(({ from }) => /^admin\/dashboard\/client\//.test(from));
  const isOfEditor = ({ from, to }: { from: string; to: string }) =>
    from.startsWith("admin/dashboard/client/editor/") && /^@(codemirror|lezer)\//.test(to);
  // Only types of zod.
  expect(
    ofBrowsers.filter((each) => !["zod", "preact", "preact/hooks"].includes(each.to) && !isOfEditor(each)),
  ).toEqual([]);
});

it("the table names every wing, every folder of the service, and no other folder", () => {
  const named = codeSpansOf(page).map(({ target }) => target);
  const inTable = named.filter((span) => /^src\/([\w-]+\/){1,2}$/.test(span)).map((span) => span.slice("src/".length));
  const isTold = (folder: string) => !folder.startsWith("sandbox/") || folder.split("/").length === 3;
  const folders = sources().flatMap((file) => {
    const parts = file.split("/").slice(0, -1);
    return parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
  });
  const wings = folders.filter((folder) => folder.split("/").length === 2);
  const ofService = folders.filter((folder) => inSandbox(folder) && isTold(folder));
  expect(wings.filter((folder) => !inTable.includes(folder))).toEqual([]);
  expect(ofService.filter((folder) => !inTable.includes(folder))).toEqual([]);
  expect(inTable.filter((folder) => !folders.includes(folder))).toEqual([]);
});

/**
 * How many lines of code a folder has at most. A change that needs more raises its number in the same commit, and says
 * there what for. One that needs fewer lowers it.
 */
const mostLines: Readonly<Record<string, number>> = {
  "src/": 49,
  "src/admin/": 13_237,
  "src/base/": 1357,
  "src/cli/": 6665,
  "src/exam/": 4763,
  "src/explore/": 1297,
  "src/imitate/": 6363,
  "src/kept/": 1042,
  "src/library/": 2706,
  "src/replicas/": 1733,
  "src/report/": 1103,
  "src/sandbox/": 503,
  "src/sandbox/api/": 2917,
  "src/sandbox/assumptions/": 613,
  "src/sandbox/config/": 1489,
  "src/sandbox/connection/": 632,
  "src/sandbox/errors/": 261,
  "src/sandbox/journal/": 2871,
  "src/sandbox/lists/": 2212,
  "src/sandbox/pki/": 2149,
  "src/sandbox/scenarios/": 4132,
  "src/sandbox/tls/": 2783,
  "src/sandbox/tokens/": 161,
  "test/admin/": 10_243,
  "test/base/": 834,
  "test/bench/": 1711,
  "test/cli/": 7118,
  "test/container/": 214,
  "test/documentation/": 1773,
  "test/exam/": 7905,
  "test/examples/": 398,
  "test/explore/": 2202,
  "test/fuzz/": 3185,
  "test/imitate/": 5782,
  "test/kept/": 415,
  "test/library/": 1537,
  "test/package/": 1066,
  "test/replicas/": 2372,
  "test/report/": 211,
  "test/sandbox/": 478,
  "test/sandbox/api/": 440,
  "test/sandbox/config/": 1234,
  "test/sandbox/conformance/": 4264,
  "test/sandbox/connection/": 46,
  "test/sandbox/journal/": 1885,
  "test/sandbox/lists/": 1486,
  "test/sandbox/openapi/": 813,
  "test/sandbox/pki/": 2172,
  "test/sandbox/records/": 1139,
  "test/sandbox/scenarios/": 6338,
  "test/sandbox/tls/": 4531,
  "test/soak/": 254,
  "test/support/": 1107,
  "test/wings/": 124,
};

describe("the lines of code", () => {
  const lines = linesOfFolders();

  it("are limited for each folder", () => {
    expect(Object.keys(mostLines).sort()).toEqual([...lines.keys()].sort());
  });

  it.each(Object.entries(mostLines))("of %s are at most %d, and not many fewer", (folder, most) => {
    const count = lines.get(folder) ?? 0;
    expect(
      count,
      `${folder} has ${count} lines of code: raise its number, and say in the commit what for`,
    ).toBeLessThanOrEqual(most);
    expect(count, `${folder} has only ${count} lines of code: lower its number`).toBeGreaterThanOrEqual(
      most * 0.98 - 20,
    );
  });
});
