import { defineCheck } from "../../check.js";

/** Judged by what the client wrote, in `answers/judge.ts`. */
export const code = defineCheck({
  id: "answers.code",
  level: "must",
  source: "§2.2, §7",
  exercisedBy: "an answer sheet with an error (SANDBOX_ANSWERS)",
  failsWhen: "the answer sheet has a code that was not delivered for that operation",
  excuses: ["the code of the operation's token request counts as well"],
  fix: "Report the member code of the received error unchanged.",
});
