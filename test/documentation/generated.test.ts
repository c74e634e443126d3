/// <reference types="vite/client" />
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every generator, found by its name, so that a new one is tested without being listed. */
const generators = import.meta.glob<{ generated: (root: string) => Promise<Map<string, string>> }>(
  "../../scripts/generate-*.ts",
);

describe("what is generated is current (npm run generate)", () => {
  it("there are generators", () => {
    expect(Object.keys(generators).length).toBeGreaterThan(1);
  });

  it("no page has a place for a table without a generator", async () => {
    const pages = await readdir(join(root, "docs"));
    const texts = await Promise.all(
      pages.filter((page) => page.endsWith(".md")).map((page) => readFile(join(root, "docs", page), "utf8")),
    );
    expect(texts.flatMap((text) => text.match(/<!-- generated:[^>]*-->\s*<!--.*/g) ?? [])).toEqual([]);
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
