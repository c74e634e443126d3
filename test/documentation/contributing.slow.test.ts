import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { blocksOf, root } from "./markdown.js";

const page = { path: "CONTRIBUTING.md", text: readFileSync(join(root, "CONTRIBUTING.md"), "utf8") };

/** A section of the page. */
function section(title: string): string {
  const [, text] = page.text.split(`\n## ${title}`);
  if (text === undefined) throw new Error(`CONTRIBUTING.md has no section "${title}".`);
  return text.split("\n## ")[0] as string;
}

let folder: string;

beforeAll(() => {
  folder = workFolder();
  for (const name of ["src", "test", "scripts", "examples", "tsconfig.json", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

/** Changes a file as the page says. @throws Error when the place is not there */
function change(file: string, place: string, text: string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  if (!before.includes(place)) throw new Error(`${file} has no ${place}`);
  writeFileSync(path, before.replace(place, text));
}

/** What the compiler says of the folder: each file with its errors. */
function compile(): Promise<Map<string, string>> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--noEmit"], { cwd: folder }, (_error, stdout) => {
      const errors = new Map<string, string>();
      let file = "";
      for (const line of stdout.split("\n").filter((each) => each !== "")) {
        file = /^(\S+)\(\d+,\d+\): error /.exec(line)?.[1] ?? file;
        errors.set(file, `${errors.get(file) ?? ""}${line}\n`);
      }
      resolve(errors);
    });
  });
}

const operation = section("Add an operation");
const fault = section("Add a fault");
const assumption = section("Add an assumption");

describe("types lead whoever adds something to the files that the page names", () => {
  it("an operation, a fault, an assumption", async () => {
    // The operation: its assumption, itself, its name. Step 4 is a row of a table, which nothing demands.
    const [block] = blocksOf(page).filter(({ kind }) => kind === "ts");
    const facts = 'section: "4.3", point: "accounts", choice: "404 NOT_FOUND", why: "to try it"';
    const entries = `"accounts.endpoint": { ${facts}, key: null },
      "accounts.unknown": { ${facts}, error: "NOT_FOUND" },
      "accounts.most": { ${facts}, value: 5 as number },`;
    change("src/assumptions/list.ts", "} as const", `${entries}\n} as const`);
    change("src/assumptions/list.ts", "satisfies Record<", `satisfies Record<\`accounts.\${string}\` | `);
    writeFileSync(join(folder, "src/api/accounts.ts"), `${block?.text}\n`);
    change("src/scenarios/operation-name.ts", '"list"]', '"list", "accounts"]');
    change(
      "src/scenarios/definition.ts",
      "interface Fault {",
      "interface Fault {\n  readonly body?: string | undefined;",
    );
    const errors = await compile();
    const expected = [
      [operation, "src/admin/dashboard/view/interface-sections.ts", "Property 'accounts' is missing"],
      [operation, "src/api/openapi/operations.ts", "Property 'accounts' is missing"],
      [assumption, "src/config/schema.ts", `Property '"accounts.most"' is missing`],
      [operation, "src/journal/explain.ts", "Property 'accounts' is missing"],
      [fault, "src/scenarios/compile.ts", "Property 'body' is missing"],
      [fault, "src/scenarios/describe-rule.ts", "Property 'body' is missing"],
      [fault, "src/scenarios/fault-schema.ts", "Property 'body' is missing"],
      [assumption, "test/assumptions.test.ts", `'"accounts.unknown"' is missing`],
    ] as const;
    expect([...errors.keys()].sort()).toEqual(expected.map(([, file]) => file));
    for (const [text, file, message] of expected) {
      expect(errors.get(file), file).toContain(message);
      expect(text).toContain(`\`${file}\``);
    }
    expect(errors.get("test/assumptions.test.ts")).toContain(`'"accounts.most"' is missing`);

    // Once it can be written, it can be written in test suites.
    change("src/scenarios/fault-schema.ts", "const faults = {", "const faults = {\n  body: text.optional(),");
    expect([...(await compile()).keys()]).toContain("test/library/types.test.ts");
    expect(fault).toContain("`src/library/definition.ts`");
  });
});
