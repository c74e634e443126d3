import { describe, expect, it } from "vitest";
import type { Check } from "../../src/exam/check.js";
import { checkPages } from "../../src/exam/check-page.js";
import { checks } from "../../src/exam/checks.js";
import { type Conversation, described, ping, wait } from "../../src/exam/conversation.js";
import { failures, judged } from "./play.js";

const shown = (which: "fails" | "innocent") =>
  checks.flatMap((check: Check): { id: string; check: Check; conversation: Conversation }[] => {
    const conversation = check[which];
    return conversation === undefined ? [] : [{ id: check.id, check, conversation }];
  });

describe("the shortest conversation of each check", () => {
  it.each(shown("fails"))("that fails $id, at its level", ({ check, conversation }) => {
    expect(failures(conversation)).toContain(`${check.level} ${check.id}`);
  });

  it.each(shown("innocent"))("that looks like it, and does not fail $id", ({ check, conversation }) => {
    expect(failures(conversation).filter((text) => text.endsWith(` ${check.id}`))).toEqual([]);
    // Nor does it show any other proven failure.
    expect(failures(conversation).filter((text) => text.startsWith("must"))).toEqual([]);
  });

  it.each(shown("fails"))("that fails $id has no step too many", ({ check, conversation }) => {
    const { steps } = conversation;
    for (const [index] of steps.entries()) {
      const shorter = { ...conversation, steps: steps.filter((_step, place) => place !== index) };
      expect(failures(shorter), `without step ${index + 1}`).not.toContain(`${check.level} ${check.id}`);
    }
  });

  it.each([...shown("fails"), ...shown("innocent")])("of $id is told in words on its page", ({ id, conversation }) => {
    const [page] = checkPages([]).filter(({ title }) => title === id);
    const texts = page?.sections.flatMap(({ text = [] }) => text) ?? [];
    for (const step of conversation.steps) expect(texts).toContain(described(step));
  });

  it("is there for every check that a conversation can show", () => {
    const without = checks.filter(({ fails, innocent }) => fails === undefined || innocent === undefined);
    expect(without.map(({ id }) => id)).toEqual(["certificate.near-its-end", "answers.rows", "answers.code"]);
  });
});

describe("a repetition that comes too soon", () => {
  const limited = { status: 429, retryAfter: { wait: 1000, grace: 50 } };

  it.each([0, 90, 110, 300, 900])("fails, %i ms after the answer", (milliseconds) => {
    const steps = [ping(limited), wait(milliseconds), ping()];
    expect(failures({ plain: [ping()], steps })).toContain("must retry.after");
  });

  it("is told with its numbers", () => {
    const results = judged({ plain: [ping()], steps: [ping(limited), wait(104), ping()] });
    expect(results.find(({ id }) => id === "retry.after")?.message).toBe(
      "A request was repeated after 105 ms, although Retry-After required 1,000 ms.",
    );
  });

  it("does not fail when the wait is over", () => {
    expect(failures({ plain: [ping()], steps: [ping(limited), wait(1000), ping()] })).toEqual([]);
  });
});
