import { defineCheck } from "../../check.js";

/** Judged by what the client wrote, in `answers/judge.ts`. */
export const rows = defineCheck({
  id: "answers.rows",
  level: "must",
  source: "§7, good practice",
  exercisedBy: "an answer sheet with a finished walk (SANDBOX_ANSWERS)",
  failsWhen: "the answer sheet has a walk in which a row is missing, is listed twice, or was never delivered",
  excuses: ["rows from before a restart of the walk may be listed", "of parallel walks, the best fit counts"],
  fix: "Read every page, and count each row once by its id, also after a restart.",
});
