import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import { areCaught } from "./caught.js";
import { quickOnes, wrongClients } from "./table.js";

describe("a client that is wrong in one thing fails one check", () => {
  // One of each check is in wrong.slow.test.ts, and all are in wrong.night.test.ts.
  areCaught(quickOnes, false);

  // The clients that write a wrong answer sheet are in test/cli/run/answers.test.ts. Nothing is judged near the end. The
  // other two fail clients that are fast. On a busy machine no client is: retry-judge.test.ts gives them the times.
  const elsewhere = ["certificate.near-its-end", "retry.paced", "retry.backoff"];

  it("each check of what is seen on the wire has such a client", () => {
    const seen = checkIds.filter((id) => !id.startsWith("answers.") && !elsewhere.includes(id));
    expect(seen.filter((id) => !wrongClients.some(({ fails }) => fails === id))).toEqual([]);
  });
});
