import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { createOperations } from "../../src/sandbox/api/operations.js";
import { defaultAssumptions } from "../../src/sandbox/assumptions.js";
import { compileList } from "../../src/sandbox/lists/list.js";
import { defaultLists } from "../../src/sandbox/lists/settings.js";
import { inProcess } from "../cli/in-process.js";
import { notOurs } from "./exceptions.js";
import { blocksOf, codeSpansOf, commandsOf, type Page, pages, root } from "./markdown.js";
import { recipes } from "./recipes.js";

// Commands, flags and routes that the prose mentions in passing are not run, but they must exist.

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * The help of the command, or of one of its subcommands.
 * @throws Error if there is no such subcommand
 */
async function helpOf(...subcommand: string[]): Promise<string> {
  const { code, stdout, stderr } = await inProcess([...subcommand, "--help"]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const flagsIn = (text: string): readonly string[] => text.match(/(?<=^|\s)--[a-z][\w-]*/g) ?? [];

const lists = Object.entries(defaultLists).map(([name, list]) => compileList(name, list));

/** The routes of both ports, each with a pattern for its path. */
const routes = [
  ...adminRoutes.map(({ method, path }) => ({ method: method as string, path })),
  ...createOperations(lists, defaultAssumptions()).map(({ method, path }) => ({ method, path: path.text })),
].map(({ method, path }) => ({ method, path: new RegExp(`^${path.replaceAll(/\{\w+\}|:\w+/g, "[^/]+")}$`) }));

/** The help of every subcommand. */
const helps = new Map<string, string>();

beforeAll(async () => {
  const names = [...(await helpOf()).matchAll(/^ {2}([a-z]+) .*\[/gm)].map(([, name = ""]) => name);
  for (const name of names.filter((each) => each !== "help")) helps.set(name, await helpOf(name));
});

/** What is wrong with the arguments of `npm install`, if anything. */
function problemOfInstalling(args: readonly string[]): string | undefined {
  if (args.includes("business-payments-sandbox")) return "no registry has the package";
  return args.some((arg) => /^(?:CLONE|[./~])/.test(arg) && !arg.endsWith(".tgz"))
    ? "npm makes a link to a folder: give the packed file"
    : undefined;
}

/** The problem of a mentioned command, if any; undefined also if it is not a command. */
function problemOf(command: string): string | undefined {
  if (/^npx payments-sandbox\b/.test(command))
    return "npx runs a package of somebody else where this one is not installed: give --no-install";
  const own = command.replace(/^npx (?:--no-install |-p business-payments-sandbox )?/, "");
  const [program, verb, ...rest] = own.split(/\s+/);
  if (program === "npm") {
    if (verb === "install") return problemOfInstalling(rest);
    if (verb === "run")
      return rest[0] !== undefined && rest[0] in scripts ? undefined : "package.json has no such script";
    return ["ci", "start", "test"].includes(verb ?? "") ? undefined : "this verb of npm is not known here";
  }
  if (program === "payments-sandbox" && verb !== undefined) {
    const help = helps.get(verb);
    if (help === undefined) return "there is no such subcommand";
    const given = flagsIn(own.split(" -- ")[0] ?? "");
    const unknown = given.filter((flag) => !flagsIn(help.replaceAll(",", " ")).includes(flag));
    return unknown.length > 0 ? `${verb} has no ${unknown.join(", ")}` : undefined;
  }
  if (program === "node" && verb?.includes("/")) {
    const folder = verb.startsWith("dist/") ? inject("built").folder : root;
    return existsSync(join(folder, verb)) ? undefined : "there is no such file";
  }
  if (/^(?:GET|POST|PUT|DELETE)$/.test(program ?? "") && verb?.startsWith("/"))
    return routes.some(({ method, path }) => method === program && path.test(verb.split("?")[0] ?? ""))
      ? undefined
      : "there is no such route";
  if (program?.startsWith("--")) {
    const known = [...helps.values()].flatMap((help) => flagsIn(help.replaceAll(",", " ")));
    return flagsIn(command).every((flag) => known.includes(flag)) ? undefined : "no subcommand has this flag";
  }
  return undefined;
}

/** The routes that the recipes of CONTRIBUTING.md add. They may exist or not. */
const toAdd = recipes().flatMap(({ title }) => /`(GET \S+)`/.exec(title)?.[1] ?? []);

function mentionsIn(page: Page) {
  const inBlocks = blocksOf(page)
    .filter(({ kind }) => kind === "sh")
    .flatMap(({ line, text }) => commandsOf(text).map((command) => ({ line, target: command })));
  return [...codeSpansOf(page), ...inBlocks].flatMap(({ line, target }) =>
    target.split(" && ").map((command) => ({ line, command })),
  );
}

const all = pages();

describe("commands, flags and routes that are mentioned exist:", () => {
  it.each(all.map((page) => [page.path, page] as const))("%s", (path, page) => {
    const exceptions = notOurs.filter((row) => row.page === path).map(({ command }) => command);
    const wrong = mentionsIn(page).flatMap(({ line, command }) => {
      const problem = toAdd.includes(command) ? undefined : problemOf(command);
      return problem === undefined ? [] : [{ line, command, problem }];
    });
    expect(wrong.filter(({ command }) => !exceptions.includes(command))).toEqual([]);
    expect(exceptions.filter((each) => !wrong.some(({ command }) => command === each))).toEqual([]);
  });

  it("every subcommand has a help to compare with", () => {
    expect([...helps.keys()]).toEqual([
      "start",
      "health",
      "run",
      "open",
      "exam",
      "explore",
      "doctor",
      "rotate",
      "calibrate",
      "check",
      "import",
      "scenarios",
      "mcp",
    ]);
  });

  it("the comments of the examples name no other way to install", () => {
    const files = readdirSync(join(root, "examples"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.md$|^package(?:-lock)?\.json$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes("node_modules"));
    const installs = files.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/\bnpm (?:install|i)\b(.*)/g)].map(([, args = ""]) =>
        args.split(/[\s()]+/),
      ),
    );
    expect(installs.length).toBeGreaterThan(0);
    expect(installs.filter((args) => problemOfInstalling(args) !== undefined)).toEqual([]);
  });
});
