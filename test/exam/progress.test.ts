import { describe, expect, it } from "vitest";
import { roughly } from "../../src/base/text/duration.js";
import { Progress } from "../../src/cli/report/progress.js";

/** Progress on a stream that is kept, with a clock that the test sets. */
function progressOn({ isTTY = false, columns = 80, tellsAll = false, total = 4 } = {}) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const stream = { isTTY, columns, write };
  const progress = new Progress({ total, what: "cell", tellsAll, now: () => clock.ms, stream });
  /** What the line of the terminal says. */
  const line = () => written.at(-1)?.replace("\r\u001b[K", "");
  return { progress, clock, line, text: () => written.join("") };
}

const recovered = { mark: "✓", isFailed: false, duration: 1200 } as const;
const wrong = { mark: "✗", isFailed: true, duration: 65, note: "wrong" } as const;

describe("the progress of many runs", () => {
  it("is one line at a terminal: what is done, what failed, about how long the others take, and what runs", () => {
    const { progress, clock, line, text } = progressOn({ isTTY: true });
    progress.begun("ping/reset");
    expect(line()).toBe("0 of 4 cells; running: ping/reset");
    progress.begun("ping/close");
    clock.ms = 20_000;
    progress.over({ name: "ping/reset", ...recovered });
    expect(line()).toBe("1 of 4 cells, about 1 min left; running: ping/close");
    expect(text()).not.toContain("\n");
    clock.ms = 24_000;
    progress.over({ name: "ping/close", ...wrong });
    expect(line()).toBe("2 of 4 cells, 1 failed, about 25 s left; running: ");
    expect(text()).toContain("\r\u001b[K2/4 ✗ ping/close (0.1 s, wrong)\n");
  });

  it("has a line for each run elsewhere, or only for those that failed", () => {
    const all = progressOn({ tellsAll: true, total: 12 });
    const some = progressOn({ total: 12 });
    for (const { progress } of [all, some]) {
      progress.begun("ping/reset");
      progress.over({ name: "ping/reset", ...recovered });
      progress.over({ name: "ping/close", ...wrong }, ["    lost"]);
    }
    const failed = " 2/12 ✗ ping/close (0.1 s, wrong)\n    lost\n";
    expect(all.text()).toBe(` 1/12 ✓ ping/reset (1.2 s)\n${failed}`);
    expect(some.text()).toBe(failed);
  });

  it("fits into the width, and prints no control character of a name", () => {
    const { progress, line, text } = progressOn({ isTTY: true, columns: 30 });
    progress.begun(`ping/${"x".repeat(50)}\u001b[2J`);
    expect(line()).toHaveLength(29);
    progress.over({ name: "\u001b[2J\n", ...wrong });
    expect(text()).toContain("\\u{1b}[2J\\u{a} (0.1 s");
  });
});

it.each([
  [0, "5 s"],
  [5001, "10 s"],
  [55_000, "55 s"],
  [55_001, "1 min"],
  [60_001, "65 s"],
  [115_001, "2 min"],
  [121_000, "3 min"],
  [89 * 60_000, "89 min"],
  [90 * 60_000, "2 h"],
])("%d ms are roughly %s", (milliseconds, text) => {
  expect(roughly(milliseconds)).toBe(text);
});
