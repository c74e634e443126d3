import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "rolldown";
import { expect, type TestContext } from "vitest";
import { forNode } from "../../scripts/for-node.mjs";
import { readBaseline } from "../../src/cli/exam/baseline-file.js";
import { project, runNode } from "../package/project.js";
import { scenarioOfExample } from "../support/scenario-example.js";
import { masked, shows } from "./compare.js";
import type { Desk } from "./desk.js";
import { notRun } from "./exceptions.js";
import { type Block, commandsOf, stepsOf } from "./markdown.js";

/** Does what a block of some kind tells the reader to do, and fails if the result differs from the document. */
export type Trial = (block: Block, desk: Desk, context: TestContext) => Promise<void>;

/** The trial for each kind of block. An unknown kind fails a test, so that none is skipped. */
export const trials: Readonly<Record<string, Trial>> = {
  sh: pasteCommands,
  console: pasteAndCompare,
  text: expectOnConsole,
  ts: runProgram,
  yaml: checkYaml,
  http: sendHeader,
};

/** Whether another test checks a block. */
export function isCheckedElsewhere({ page, kind }: Block): boolean {
  // contributing.night.test.ts
  if (page.startsWith("test/documentation/recipes/")) return true;
  // a-foreign-list-is-imitated-by-the-document.test.ts
  if (page === "docs/guide/lists.md") return ["yaml", "http", "json"].includes(kind);
  // prometheus.slow.test.ts
  if (page === "docs/reference/metrics.md") return kind === "yaml";
  // balancer.night.test.ts
  if (page === "docs/shared.md") return ["haproxy", "nginx"].includes(kind);
  // generated.test.ts, with the programs of examples/exam, and the answer sheet in test/exam/answers
  if (page === "docs/guide/exam.md") return ["text", "json", "js", "python"].includes(kind);
  // ci-jobs.test.ts
  if (page === "docs/guide/ci.md") return kind === "yaml";
  // test/cli/run/explore-runners.night.test.ts
  if (page === "docs/guide/explore.md") return ["js", "text"].includes(kind);
  // test/cli/mcp/mcp.test.ts
  if (page === "docs/guide/agents.md") return kind === "json";
  // architecture.test.ts
  return kind === "mermaid" && page === "docs/architecture.md";
}

const isStart = (command: string) => /(?:^|&& )npm start\b/.test(command);

/** An error answer. curl succeeds nevertheless. */
const isError = (output: string) => /^\{"(?:message|code|error)"/m.test(output);

export function isNotRun(page: string, command: string): boolean {
  return notRun.some((row) => row.page === page && row.command === command);
}

/** Whether a page belongs to a client recipe, whose commands are run in its folder. */
function isRecipe(page: string): boolean {
  return /^examples\/.+\//.test(page);
}

/** `sh`: commands whose output is not shown. Each must succeed, and must not get an error as its answer. */
async function pasteCommands({ page, text }: Block, desk: Desk, { skip }: TestContext): Promise<void> {
  for (const command of commandsOf(text).filter((each) => !isNotRun(page, each))) {
    const missing = await desk.missing(
      command.includes("client.sh") ? ["jq"] : (command.match(/\b(?:python3|ruby|php)\b/g) ?? []),
    );
    if (missing !== undefined) skip(`${missing} is not here`);
    if (isStart(command)) {
      await desk.start(command);
      await pasteBanner(desk);
      continue;
    }
    const ran = await desk.run(isRecipe(page) ? `cd '${desk.file(dirname(page))}' && ${command}` : command);
    expect(ran, command).toMatchObject({ status: 0 });
    expect(isError(ran.output), `${command}\n${ran.output}`).toBe(false);
    if (command.includes("payments-sandbox run")) expect(ran.errors).toMatch(/The sandbox saw \d+ request/);
  }
}

/** A start prints two lines to paste into another shell: a token, and a ping with it. */
async function pasteBanner(desk: Desk): Promise<void> {
  const lines = desk.console.split("\n").filter((line) => line.includes("curl -sS"));
  expect(lines).toHaveLength(2);
  // In a subshell, so that README's own lines run without the token.
  expect(await desk.run(`(\n${lines.join("\n")}\n)`)).toMatchObject({ status: 0, output: '{"status":"OK"}\n' });
}

/** `console`: commands after `$ `, each with its whole output below it, except for what `…` leaves out. */
async function pasteAndCompare({ page, line, text }: Block, desk: Desk): Promise<void> {
  for (const { command, output: shown } of stepsOf(text)) {
    const { status, output, errors } = await desk.run(command);
    // A client that a document shows to fail ends the command with 1.
    expect(status, `${command}\n${errors}`).toBe(shown.includes("does not survive") ? 1 : 0);
    if (shows(shown, output)) continue;
    // They differ, so this fails and shows the difference.
    expect(masked(shown), `${page}:${line} shows what "${command}" does not print`).toBe(masked(output));
    throw new Error(`${page}:${line}: … leaves out nothing there.`);
  }
}

/** `text`: what the sandbox's console shows. */
async function expectOnConsole({ page, line, text }: Block, desk: Desk): Promise<void> {
  await expect
    .poll(() => (shows(text, desk.console, false) ? masked(text) : masked(desk.console)), {
      message: `${page}:${line} shows what the sandbox's console does not`,
    })
    .toBe(masked(text));
}

/**
 * `ts`: a program of a user, in a project with the package installed. The line that represents an SDK makes one token
 * request.
 */
async function runProgram({ text }: Block): Promise<void> {
  const program = text.replace(/^\/\/ … run your SDK .*$/m, "await client.token();");
  const folder = project({ "main.ts": program });
  const output = { file: join(folder, "main.js"), codeSplitting: false };
  await build({ ...forNode, input: join(folder, "main.ts"), external: ["business-payments-sandbox"], output });
  expect(await runNode(folder, ["main.js"]), program).toEqual({ code: 0, stdout: "", stderr: "" });
}

/** `yaml`: a scenario, examples of its keys, a line each, a configuration, or a baseline. */
async function checkYaml({ page, line, text }: Block, desk: Desk): Promise<void> {
  if (text.startsWith("failures:")) {
    const file = desk.file(`${basename(page)}-${line}.yaml`);
    writeFileSync(file, text);
    await readBaseline(file, { scenarios: undefined });
    return;
  }
  const lines = text.split("\n");
  const areExamples = lines.every((each) => /^[a-z]+: \S/i.test(each) && !each.startsWith("description:"));
  const file = text.startsWith("assumptions:") ? "sandbox.yaml" : "scenario.yaml";
  const files = areExamples
    ? lines.map((each, index) => [`${index + 1}.yaml`, scenarioOfExample(each)] as const)
    : [[file, `${text}\n`] as const];
  const paths = files.map(([name, content]) => {
    const path = desk.file(`yaml/${basename(page)}-${line}/${name}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  });
  const { status, output, errors } = await desk.run(
    `payments-sandbox check ${paths.map((path) => `'${path}'`).join(" ")}`,
  );
  expect(status, `${output}${errors}\n${text}`).toBe(0);
}

const identity = "set -a; . certs/clients/demo/client.env; set +a";
const api =
  'api() { curl -sS --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" "$@"; }';
const getToken =
  'TOKEN=$(api -d grant_type=client_credentials -d client_id=demo -d scope=read "$SANDBOX_URL/oauth/v2/oauth-token" | ' +
  'sed \'s/.*"access_token":"\\([^"]*\\)".*/\\1/\')';

/** `http`: the header of a fault. Sent as `Sandbox-Replay`, it causes exactly that fault, and the answer says so. */
async function sendHeader({ page, line, text }: Block, desk: Desk): Promise<void> {
  const [, fault] = /^Sandbox-(?:Fault|Replay): (\S+)$/.exec(text) ?? [];
  if (fault === undefined) throw new Error(`${page}:${line}: this header is unknown: ${text}`);
  for (const command of [identity, api, getToken]) expect(await desk.run(command)).toMatchObject({ status: 0 });
  const ping = `api -i -H "Authorization: Bearer $TOKEN" -H 'Sandbox-Replay: ${fault}' "$SANDBOX_URL/v1/ping"`;
  const { output } = await desk.run(ping);
  // Over HTTP/2 names are in lower case.
  expect(output.replaceAll("\r", "").toLowerCase(), ping).toContain(`\nsandbox-fault: ${fault.toLowerCase()}\n`);
}
