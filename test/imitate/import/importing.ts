import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ImportedDocument, importDocument } from "../../../src/imitate/import/import-document.js";
import type { ImportOptions } from "../../../src/imitate/import/list-importer.js";
import { type ProvenList, proveLists } from "../../../src/imitate/import/proof.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import type { ListSettings } from "../../../src/sandbox/lists/settings.js";
import { afterFile } from "../../support/cleanups.js";

/** A folder with files, by their paths. It is removed after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 1));
  }
  return folder;
}

/** The answer of an operation, as in a document. */
export const answers = (schema: object, type = "application/json") => ({
  responses: { 200: { description: "", content: { [type]: { schema } } } },
});

/** Rows, as the items of a page. */
export const pageOf = (properties: object, rest: object = {}) => ({
  type: "object",
  properties: { data: { type: "array", items: { type: "object", properties } }, ...rest },
});

/** A document with these paths. */
export const documentOf = (paths: object, rest: object = {}) => ({
  openapi: "3.0.3",
  info: { title: "Test", version: "1" },
  paths,
  ...rest,
});

/** Imports a document, and makes its result easy to compare. */
export async function imported(document: object | string, options: ImportOptions = {}, files = {}) {
  const folder = folderWith({ "api.yaml": document, ...files });
  const result = await importDocument(join(folder, "api.yaml"), options);
  const lists = Object.fromEntries(result.lists.map(({ name, settings }) => [name, settings]));
  const notes = result.notes.map(({ place, message }) => `${place.slice(place.indexOf("#"))} ${message}`);
  return { ...result, imported: result.lists, folder, lists, notes, places: result.notes.map(({ place }) => place) };
}

/** Imports a document, changes its lists, and asks them whether they answer as it says. */
export async function proof(
  document: object,
  change: (list: ListSettings) => ListSettings = (list) => list,
): Promise<readonly ProvenList[]> {
  const { lists, imported: all, ...result } = await imported(document);
  const changed = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, change(list)]));
  const { assumptions } = emptyFile;
  const whole = { ...(result as unknown as ImportedDocument), lists: all };
  return proveLists(whole, { lists: changed, basePath: "/base", assumptions }, Object.keys(lists));
}
