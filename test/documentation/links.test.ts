import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { notHere } from "./exceptions.js";
import { anchorsOf, codeSpansOf, linksOf, type Page, pages, root } from "./markdown.js";
import { filesToWrite } from "./recipes.js";

const all = pages();
const byPath = new Map(all.map((page) => [page.path, page]));

/** Every web address in a document. People read them: no test uses the network. */
const addresses = ["https://keepachangelog.com/en/1.1.0/", "https://modelcontextprotocol.io", "https://semver.org/"];

/** Files that a sandbox serves, or that its start makes, are not files of the repository. */
const isServed = (target: string) => /^https?:\/\/(localhost|sandbox)[:/]/.test(target);

/** What is wrong with a link, if anything. */
function problemOf(page: Page, target: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(target))
    return /^https?:\/\/[^/]/.test(target) ? undefined : "is not an http(s) address";
  const [path = "", anchor] = target.split("#", 2);
  const file = path === "" ? page.path : posix.normalize(posix.join(posix.dirname(page.path), path));
  if (file.startsWith("..") || !existsSync(`${root}/${file}`)) return "leads to no file";
  if (anchor === undefined) return undefined;
  const linked = byPath.get(file);
  return linked && anchorsOf(linked).has(anchor) ? undefined : "leads to no heading";
}

describe("the links of", () => {
  it.each(all.map((page) => [page.path, page] as const))("%s are not broken", (path, page) => {
    const problems = linksOf(page).flatMap(({ line, target }) => {
      const problem = problemOf(page, target);
      return problem === undefined ? [] : [`${path}:${line}: ${target} ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it("all documents to the web are exactly these", () => {
    const found = all.flatMap((page) => linksOf(page).map(({ target }) => target));
    const web = found.filter((target) => /^https?:/.test(target) && !isServed(target));
    expect([...new Set(web)].sort()).toEqual([...addresses].sort());
  });
});

/** A path below a folder of the repository, or the bare name of a source file. */
const looksLikePath = /^(?:\.ci|[\w-]+)\/[\w./-]+$|^[\w-]+\.(?:ts|mjs|go|py|java|sh|yml|yaml|json)$/;
const folders = /^(?:src|test|scripts|docs|examples|scenarios|\.ci)\//;

/** Paths are relative to the root, or to src/, the wing of the service, scenarios/ or the folder of the document. */
function isThere(page: Page, span: string): boolean {
  return ["", "src", "src/sandbox", "scenarios", posix.dirname(page.path)].some((place) =>
    existsSync(posix.join(root, place, span)),
  );
}

const toWrite = filesToWrite();

const isSource = (span: string) => folders.test(span) || /\.(?:ts|mjs|go|py|java|sh|yml|yaml|json)$/.test(span);

describe("the paths between backticks in", () => {
  const pathsOf = (page: Page) =>
    codeSpansOf(page).filter(({ target }) => looksLikePath.test(target) && isSource(target));

  it.each(all.map((page) => [page.path, page] as const))("%s exist", (path, page) => {
    const missing = pathsOf(page).filter(({ target }) => !isThere(page, target) && !toWrite.includes(target));
    const excepted = notHere.filter(({ page: of }) => of === path).map(({ path: name }) => name);
    expect(missing.filter(({ target }) => !excepted.includes(target))).toEqual([]);
    expect([...new Set(missing.map(({ target }) => target))].sort(), "exceptions.ts, notHere").toEqual(excepted.sort());
  });

  it("are found", () => {
    expect(all.flatMap(pathsOf).length).toBeGreaterThan(30);
  });
});
