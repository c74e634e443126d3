import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isReportEnding } from "../../../src/report/format.js";
import { root } from "../../documentation/markdown.js";
import { inProcess } from "../in-process.js";

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the files
type Yaml = any;

const read = (name: string): Yaml => parse(readFileSync(join(root, "examples/ci", name), "utf8"));
const steps: Yaml[] = read("github-actions.yml").jobs.exam.steps;
const gitlab: Yaml = read("gitlab-ci.yml").exam;

const isExam = (script: string | undefined) => script?.includes("cli.js exam") === true;

/** The command of each job, and what it publishes. */
const jobs = [
  ["GitHub Actions", steps.map((step) => step.run).find(isExam), steps.filter((step) => !isExam(step.run))],
  ["GitLab CI/CD", gitlab.script.find(isExam), gitlab.artifacts],
] as const;

describe("the exam in CI", () => {
  it.each(jobs)("of %s has existing flags, and publishes its files", async (_name, script, published) => {
    const words: string[] = script.split(/\s+/);
    const own = words.slice(words.indexOf("exam") + 1, words.indexOf("--"));
    const help = (await inProcess(["exam", "--help"])).stdout;
    const flags = own.filter((word) => word.startsWith("--"));
    expect(flags.filter((flag) => !new RegExp(`${flag}[ ,]`).test(help))).toEqual([]);
    const written = own.filter((word) => word.startsWith("report."));
    expect(written.filter((file) => !isReportEnding(extname(file)))).toEqual([]);
    expect(written.map((file) => extname(file)).sort()).toEqual([".html", ".md", ".xml"]);
    expect([...new Set(JSON.stringify(published).match(/report\.\w+/g))].sort()).toEqual([...written].sort());
  });

  it("publishes the report even if the exam failed", () => {
    const later = steps.slice(steps.findIndex((step) => isExam(step.run)) + 1);
    expect(later.map((step) => step.if)).toEqual(later.map(() => "always()"));
    expect(gitlab.artifacts.when).toBe("always");
  });
});
