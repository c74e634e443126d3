import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { blocksOf, pages } from "./markdown.js";

const jobs = pages()
  .flatMap(blocksOf)
  .filter(({ page, kind }) => page === "docs/guide/ci.md" && kind === "yaml")
  .map(({ text }) => text);

describe("the jobs that upload a kept run", () => {
  it("are one for GitHub Actions and one for GitLab CI/CD", () => {
    expect(jobs.map((text) => /upload-artifact|artifacts:/.exec(text)?.[0])).toEqual(["upload-artifact", "artifacts:"]);
  });

  it.each(jobs)("upload the folder that run writes: %s", (text) => {
    const [, folder = ""] = / run --keep (\S+) -- /.exec(text) ?? [];
    expect(JSON.stringify(parse(text))).toMatch(new RegExp(`"path":"${folder}"|"paths":\\["${folder}/"\\]`));
  });
});
