import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { isInstalled } from "../examples/programs.js";
import { isCheckedElsewhere, isNotRun, trials } from "./blocks.js";
import { Desk } from "./desk.js";
import { type Block, blocksOf, codeSpansOf, commandsIn, pages } from "./markdown.js";
import type { ShellName } from "./shell.js";

const all = pages().map((page) => ({ page, blocks: blocksOf(page) }));

function titleOf(block: Block): string {
  const [first = ""] = block.text.split("\n");
  return `line ${block.line}, ${block.kind}: ${first.length > 60 ? `${first.slice(0, 60)}…` : first}`;
}

/** zsh refuses more at its prompt than others do. */
const strictest = isInstalled("zsh", "--version") ? "zsh" : "bash";

/** The blocks of each page that are tried here, and the shell into which their commands are typed: README's into each. */
const tried = all.flatMap(({ page: { path }, blocks }) => {
  const isTried = (block: Block) => {
    const commands = commandsIn(block);
    const isException = commands.length > 0 && commands.every((command) => isNotRun(path, command));
    return !isException && !isCheckedElsewhere(block);
  };
  const own = blocks.filter(isTried);
  const into: readonly ShellName[] = path === "README.md" ? ["bash", "zsh", "dash"] : [strictest];
  return own.length > 0 ? into.map((shell) => [path, shell, own] as const) : [];
});

describe.each(tried)("%s, typed into %s", (path, shell, blocks) => {
  // A reader has them; a minimal image of Node.js may not. The programs of desk.ts are for bash.
  const missing = ["bash", "curl", "python3", shell].find((program) => !isInstalled(program, "--version"));
  beforeEach(({ skip }) => skip(missing !== undefined, `${missing} is not here`));

  // The blocks of a page are run from top to bottom, at one desk.
  let desk: Desk | undefined;
  const atDesk = async () => {
    if (desk) return desk;
    desk = new Desk(shell);
    // README starts its sandbox itself; examples/README.md has one around each command.
    if (path !== "README.md" && path !== "examples/README.md") await desk.start();
    return desk;
  };

  for (const block of blocks) {
    it(titleOf(block), async (context) => {
      const trial = trials[block.kind];
      if (!trial) {
        throw new Error(
          `${path}:${block.line} has a block of the kind "${block.kind}". Known are ${Object.keys(trials).join(", ")}: ` +
            "sh for commands, console for commands behind `$ ` with their output, text for the sandbox's console. " +
            "A new kind needs a line in `trials` (test/documentation/blocks.ts) that says how it is tried.",
        );
      }
      await trial(block, await atDesk(), context);
    });
  }

  if (path !== "README.md") return;

  it("the files that it names in certs/ exist", async () => {
    const page = all.find((each) => each.page.path === path)?.page ?? { path, text: "" };
    const files = codeSpansOf(page).filter(({ target }) => /^certs\/[\w./-]+$/.test(target));
    expect(files.length).toBeGreaterThan(4);
    const desk = await atDesk();
    expect(files.filter(({ target }) => !existsSync(desk.file(target)))).toEqual([]);
  });

  it("the PKCS#12 bundle opens with the password that it names", async () => {
    const text = all.find(({ page }) => page.path === path)?.page.text ?? "";
    const [, bundle = "", password = ""] = /PKCS#12 \| `(\S+)`, password `(\S+)`/.exec(text) ?? [];
    const command = `curl -sS --cacert certs/ca.pem --cert ${bundle}:${password} --cert-type P12 https://localhost:8443/v1/ping`;
    // Only the handshake matters: without a token, ping is refused.
    expect((await (await atDesk()).run(command)).output).toContain('"code":"UNAUTHORIZED"');
  });
});
