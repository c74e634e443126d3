/// <reference types="vite/client" />
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { regions } from "../../scripts/generate-pages.js";
import { regionsOf } from "../../scripts/markdown.js";
import { pages, root } from "./markdown.js";

/** Every generator, found by its name, so that a new one is tested without being listed. */
const generators = import.meta.glob<{ generated: (root: string) => Promise<Map<string, string>> }>(
  "../../scripts/generate-*.ts",
);

describe("what is generated is current (npm run generate)", () => {
  it("there are generators", () => {
    expect(Object.keys(generators).length).toBeGreaterThan(1);
  });

  it("every table has a place in exactly one page", async () => {
    const found = pages().flatMap(({ text }) => regionsOf(text));
    expect(found.sort()).toEqual(Object.keys(await regions(root)).sort());
  });

  it.each(Object.keys(generators))("%s", async (path) => {
    const { generated } = (await generators[path]?.()) ?? {};
    for (const [file, text] of (await generated?.(root)) ?? []) {
      const written = await readFile(join(root, file), "utf8");
      // Formatting is checked by the formatter.
      if (file.endsWith(".json")) expect(JSON.parse(written), file).toEqual(JSON.parse(text));
      else expect(written, file).toBe(text);
    }
  });
});
