import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { adminErrorStatus } from "../../src/admin/error-codes.js";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { routeOf } from "./admin-client.js";

const page = await readFile(new URL("../../docs/reference/admin-api.md", import.meta.url), "utf8");

describe("docs/reference/admin-api.md", () => {
  it("has every route in one entry, and no other", () => {
    const entries = [...page.matchAll(/^- ((?:(?:, )?`(?:GET|POST|PUT|DELETE) [^`]*`)+)/gm)];
    const named = entries.flatMap(([, calls = ""]) => calls.split(", "));
    expect(named.sort()).toEqual(adminRoutes.map(({ method, path }) => `\`${method} ${path}\``).sort());
  });

  it("names every error code", () => {
    for (const code of Object.keys(adminErrorStatus)) expect(page).toContain(`\`${code}\``);
  });

  it("names only routes that exist", () => {
    const examples = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/.{}-]*)`/g)];
    expect(examples.length).toBeGreaterThan(50);
    for (const [text, method = "", path = ""] of examples) {
      expect([text, routeOf(method, path.replace(/[A-Z]{2,}/, "{id}"))]).not.toEqual([text, undefined]);
    }
  });
});
