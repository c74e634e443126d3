import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./markdown.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const pagesIn = (folder: string) => readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));

describe("README.md", () => {
  const readme = read("README.md");

  it("has at most 150 lines", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });

  it("has its sections in this order", () => {
    expect([...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      "Start in 60 seconds",
      "Point your SDK here",
      "A first session",
      "One error on demand",
      "Is your client correct?",
      "In a test suite",
      "Where to look",
    ]);
  });

  it("has one picture and no generated table", () => {
    expect(readme.match(/<img |!\[/g)).toHaveLength(1);
    expect(readme).not.toContain("<!-- generated");
  });
});

const everyPage = ["", "guide/", "reference/"].flatMap((folder) =>
  pagesIn(`docs/${folder}`).map((name) => `${folder}${name}`),
);

it.each(everyPage.filter((name) => name !== "README.md"))("docs/README.md names %s", (name) => {
  expect(read("docs/README.md")).toContain(name);
});

it("CHANGELOG.md has two pages at most", () => {
  expect(read("CHANGELOG.md").split(/\s+/).length).toBeLessThanOrEqual(1000);
});

it("CONTRIBUTING.md has less than 300 lines", () => {
  expect(read("CONTRIBUTING.md").trimEnd().split("\n").length).toBeLessThan(300);
});

it.each(pagesIn("docs/decisions").filter((name) => name !== "README.md"))(
  "docs/decisions/README.md links %s",
  (name) => {
    expect(read("docs/decisions/README.md")).toContain(`](${name})`);
  },
);

it("docs/dependencies.md names every package", () => {
  const page = read("docs/dependencies.md");
  const packages = Object.keys(JSON.parse(read("package.json")).devDependencies);
  expect(packages.filter((name) => !name.startsWith("@types/") && !page.includes(name))).toEqual([]);
});
