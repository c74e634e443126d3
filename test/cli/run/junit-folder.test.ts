import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { JunitFolder } from "../../../src/cli/run/junit-folder.js";
import { workFolder } from "../command.js";

const suite = (...cases: string[]) => `<testsuite>${cases.join("")}</testsuite>`;
const passed = (name: string) => `<testcase name="${name}"/>`;
const failed = (name: string) => `<testcase name="${name}"><failure message="no"/></testcase>`;

async function folder() {
  const junit = await JunitFolder.create(join(workFolder(), "junit"));
  const { SANDBOX_JUNIT: file = "" } = junit.variables;
  const place = (name: string) => join(dirname(file), name);
  return { junit, file, place, write: (name: string, text: string | Buffer) => writeFileSync(place(name), text) };
}

it("is read whole: several workers write several files, and one that failed decides", async () => {
  const { junit, file, write } = await folder();
  writeFileSync(file, suite(passed("a"), failed("b")));
  write("TEST-second.XML", suite(failed("a"), passed("b"), passed("c")));
  write("notes.txt", "not read");
  const { results, problems } = await junit.read();
  expect({ results: Object.fromEntries(results), problems }).toEqual({
    results: { a: "no", b: "no", c: null },
    problems: [],
  });
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  await junit.remove();
  expect(existsSync(dirname(file))).toBe(false);
});

it("says nothing where the command wrote nothing, or removed it", async () => {
  const { junit, file } = await folder();
  expect(await junit.read()).toEqual({ results: new Map(), problems: [] });
  rmSync(dirname(file), { recursive: true });
  expect(await junit.read()).toEqual({ results: new Map(), problems: [] });
  await junit.remove();
});

it("names each file that cannot be used, and reads the others", { tags: "slow" }, async () => {
  const { junit, place, write } = await folder();
  write("good.xml", suite(passed("a")));
  write("cut.xml", "<testsuite>\n<testcase");
  write("latin.xml", Buffer.from([0x3c, 0xe9, 0x3e]));
  write("page.xml", "<html/>");
  write("a-large.xml", "");
  truncateSync(place("a-large.xml"), 100_000_000);
  mkdirSync(place("folder.xml"));
  symlinkSync("/dev/zero", place("endless.xml"));
  symlinkSync(place("good.xml"), place("link.xml"));
  execFileSync("mkfifo", [place("x.xml")]);
  const { results, problems } = await junit.read();
  expect([...results]).toEqual([["a", null]]);
  const about = (name: string, why: string) => `The JUnit file "${name}" cannot be used: it ${why}.`;
  expect(problems).toEqual([
    about("a-large.xml", "is larger than 16777216 bytes"),
    about("cut.xml", "is not well-formed XML (line 2)"),
    about("endless.xml", "is not a regular file"),
    about("folder.xml", "is not a regular file"),
    about("latin.xml", "is not text in UTF-8"),
    about("link.xml", "is not a regular file"),
    about("page.xml", "is no JUnit XML: its root element is <html> (line 1)"),
    about("x.xml", "is not a regular file"),
  ]);
  await junit.remove();
  expect(existsSync(place("x.xml"))).toBe(false);
  expect(existsSync("/dev/zero")).toBe(true);
});

it("is removed when the command has closed it", async () => {
  const { junit, file, write } = await folder();
  write("good.xml", suite(passed("a")));
  chmodSync(dirname(file), 0);
  await junit.remove();
  expect(existsSync(dirname(file))).toBe(false);
});

it("has limits for files", async () => {
  const { junit, write } = await folder();
  for (let at = 0; at < 201; at += 1) write(`${at}.xml`, suite(passed(String(at))));
  const { results, problems } = await junit.read();
  expect(results.size).toBe(200);
  expect(problems).toEqual(["Of 201 files with JUnit XML, only 200 were read."]);
});
