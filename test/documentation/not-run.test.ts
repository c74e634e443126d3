import { describe, expect, it } from "vitest";
import { assertStandInForStart } from "./desk.js";
import { notRun } from "./exceptions.js";
import { blocksOf, commandsIn, pages } from "./markdown.js";

// Commands that commands.slow.test.ts does not run, or replaces.
describe("a command that is not run", () => {
  const blocks = pages().flatMap(blocksOf);

  it.each(notRun)("$page: $command ($reason)", ({ page, command }) => {
    const commands = blocks.filter((block) => block.page === page).flatMap(commandsIn);
    expect(commands, "the document no longer has it: remove it from exceptions.ts").toContain(command);
  });

  it("has a replacement that does the same", () => {
    assertStandInForStart();
  });
});

it("no command has a comment, because the prompt of zsh takes it for arguments", () => {
  const withoutQuoted = (command: string) => command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/gs, "");
  const commented = pages()
    .flatMap(blocksOf)
    .flatMap((block) => commandsIn(block).map((command) => `${block.page}:${block.line}: ${command}`))
    .filter((command) => /\s#/.test(withoutQuoted(command)));
  expect(commented).toEqual([]);
});
