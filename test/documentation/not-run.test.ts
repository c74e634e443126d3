import { describe, expect, it } from "vitest";
import { assertStandInForStart } from "./desk.js";
import { notRun } from "./exceptions.js";
import { bare, blocksOf, commandsIn, pages } from "./markdown.js";

// What commands.slow.test.ts does not run, or replaces.
describe("what is not run", () => {
  const blocks = pages().flatMap(blocksOf);

  it.each(notRun)("$page: $command ($reason)", ({ page, command }) => {
    const commands = blocks.filter((block) => block.page === page).flatMap(commandsIn);
    expect(commands.map(bare), "the document has it no more: take it out of exceptions.ts").toContain(command);
  });

  it("is what its stand-in does", () => {
    assertStandInForStart();
  });
});
