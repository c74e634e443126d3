import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";

it("a start without --shared loads neither it nor its package", () => {
  const { cli } = inject("built");
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm))
      if (name !== "") visit(join(file, "..", name));
  };
  visit(cli);
  for (const file of loaded) expect(readFileSync(file, "utf8").includes("node_modules/@redis")).toBe(false);
});
