import { describe, expect, it } from "vitest";
import { workFolder } from "./command.js";
import { inProcess } from "./in-process.js";

// No command prints the password of a URL, wherever the URL comes from. `otlp.slow.test.ts` has a sandbox that runs.

/** In every password; in one after all the characters that must be encoded in a URL, and that people forget to encode. */
const hush = "hunter2";
const passwords = [hush, `x/%?#@${hush}`] as const;

/**
 * Options that take a URL: those of a command that cannot use it, or reaches nothing there. The first of each command by
 * day.
 */
const options: readonly (readonly string[])[] = [
  ["start", "--otlp", "ftp://user:PASSWORD@127.0.0.1:1"],
  ["start", "--otlp", "http://user:PASSWORD@127.0.0.1:1/?a=b"],
  ["start", "--otlp", "http://user:PASSWORD@127.0.0.1:99999"],
  ["start", "--otlp", "user:PASSWORD@127.0.0.1:1"],
  ["start", "--shared", "redis://user:PASSWORD@127.0.0.1:1"],
  ["start", "--shared", "redis://:PASSWORD@127.0.0.1:1/2"],
  ["start", "--shared", "http://user:PASSWORD@127.0.0.1:1"],
  ["start", "--public-url", "http://user:PASSWORD@localhost"],
  ["start", "--public-url", "https://user:PASSWORD@localhost/path"],
  ["calibrate", "--url", "http://user:PASSWORD@127.0.0.1:1", ...["--client-id", "x", "--cert", "x", "--key", "x"]],
  ["calibrate", "--url", "https://user:PASSWORD@127.0.0.1:1", ...["--client-id", "x", "--cert", "x", "--key", "x"]],
  ["import", "https://user:PASSWORD@127.0.0.1:1/openapi.yaml"],
  ["doctor", "--url", "ftp://user:PASSWORD@127.0.0.1:1"],
  ["doctor", "--url", "http://user:PASSWORD@127.0.0.1:1"],
  ["doctor", "--url", "https://user:PASSWORD@127.0.0.1:1"],
  ["doctor", "--url", "https://127.0.0.1:1", "--admin-url", "http://user:PASSWORD@127.0.0.1:1"],
  ["doctor", "--url", "https://127.0.0.1:1", "--admin-url", "https://user:PASSWORD@127.0.0.1:1"],
  ["rotate", "demo", "--admin-url", "http://user:PASSWORD@127.0.0.1:1"],
  ["rotate", "demo", "--admin-url", "https://user:PASSWORD@127.0.0.1:1"],
  ["mcp", "--admin-url", "http://user:PASSWORD@127.0.0.1:1"],
  ["mcp", "--admin-url", "https://user:PASSWORD@127.0.0.1:1"],
  ["run", "--otlp", "ftp://user:PASSWORD@127.0.0.1:1", "--", "true"],
  ["exam", "--otlp", "ftp://user:PASSWORD@127.0.0.1:1", "--", "true"],
];

/** What takes something else, and gets a URL. */
const others: readonly (readonly string[])[] = [
  ...["--config", "--scenario", "--scenarios", "--hostname", "--host", "--base-path", "--port", "--seed"].map(
    (flag) => ["start", flag, "https://user:PASSWORD@127.0.0.1:1"],
  ),
  ...["--har", "--ca", "--openapi", "--list"].map((flag) => [
    ...["calibrate", "--url", "https://127.0.0.1:1", "--client-id", "x", "--cert", "x", "--key", "x"],
    ...[flag, "https://user:PASSWORD@127.0.0.1:1"],
  ]),
  ["health", "--admin-host", "https://user:PASSWORD@127.0.0.1:1"],
  ["import", "file://user:PASSWORD@127.0.0.1:1/openapi.yaml"],
  ["run", "https://user:PASSWORD@127.0.0.1:1"],
  ["check", "https://user:PASSWORD@127.0.0.1:1"],
  ["scenarios", "https://user:PASSWORD@127.0.0.1:1"],
  ["https://user:PASSWORD@127.0.0.1:1"],
  ["start", "--https://user:PASSWORD@127.0.0.1:1"],
  ["start", "https://user:PASSWORD@127.0.0.1:1"],
];

const texts: Readonly<Record<string, string>> = {
  "openapi.yaml": `openapi: 3.1.0
info: { title: "https://user:PASSWORD@127.0.0.1", version: "1" }
servers: [{ url: "https://user:PASSWORD@127.0.0.1:1" }]
paths:
  /a: { $ref: "https://user:PASSWORD@127.0.0.1:1/b.yaml#/a" }
  /b: { get: { responses: { "200": { $ref: "https://user:PASSWORD@127.0.0.1:1/b.yaml#/b" } } } }
`,
  "otlp.yaml": "otlp: ftp://user:PASSWORD@127.0.0.1:1\n",
  "shared.yaml": "shared: https://user:PASSWORD@127.0.0.1:1\n",
  "public.yaml": "publicUrl: http://user:PASSWORD@127.0.0.1:1\n",
  "port.yaml": "port: https://user:PASSWORD@127.0.0.1:1\n",
  "key.yaml": "'https://user:PASSWORD@127.0.0.1:1': 1\n",
  "scenario.yaml":
    "description: x\nrules:\n  - then: { error: 'https://user:PASSWORD@127.0.0.1:1', 'https://user:PASSWORD@127.0.0.1:1': 1 }\n",
};

async function expectNoPassword(words: readonly string[], password: string, env: Record<string, string> = {}) {
  const fill = (text: string) => text.replaceAll("PASSWORD", password);
  const cwd = workFolder(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)])));
  const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
  const { code, stdout, stderr } = await inProcess(words.map(fill), { cwd, env: filled });
  expect(code).toBeGreaterThan(0);
  expect(stdout + stderr).not.toBe("");
  expect(stdout + stderr).not.toContain(hush);
}

describe("the password of a URL is not printed", () => {
  const isFirst = (words: readonly string[]) => options.find(([command]) => command === words[0]) === words;
  const named = (lines: typeof options) => lines.map((words) => [words.join(" "), words] as const);

  it.each(named(options.filter(isFirst)))("%s", (_line, words) => expectNoPassword(words, passwords[1]));

  it.each(named(options))("%s, nor that of a plain one", { tags: "slow" }, async (_line, words) => {
    for (const password of passwords) await expectNoPassword(words, password);
  });

  it.each(named(others))("%s", { tags: "slow" }, (_line, words) => expectNoPassword(words, hush));

  it.each([
    { SANDBOX_OTLP: "ftp://user:PASSWORD@127.0.0.1:1" },
    { SANDBOX_SHARED: "redis://user:PASSWORD@127.0.0.1:1" },
    { SANDBOX_PUBLIC_URL: "http://user:PASSWORD@127.0.0.1:1" },
  ])("of a variable: %j", { tags: "slow" }, async (env) => {
    for (const password of passwords) await expectNoPassword(["start"], password, env as Record<string, string>);
  });

  it.each(Object.keys(texts).filter((name) => name !== "openapi.yaml" && name !== "scenario.yaml"))(
    "of a configuration: %s",
    { tags: "slow" },
    async (file) => {
      await expectNoPassword(["start", "--config", file], hush);
      await expectNoPassword(["check", "--config", file], hush);
    },
  );

  it("of a scenario or a document", async () => {
    await expectNoPassword(["check", "scenario.yaml"], hush);
    await expectNoPassword(["import", "openapi.yaml"], hush);
  });
});
