import { defineCheck } from "../../check.js";

/** Judged by what the client wrote, in `answers/judge.ts`. */
export const rows = defineCheck({
  id: "answers.rows",
  level: "must",
  source: "§7, good practice",
  exercisedBy: "an answer sheet with a finished walk (SANDBOX_ANSWERS)",
  failsWhen: "the answer sheet has a walk in which a row is missing, is listed twice, or was never delivered",
  excuses: [
    "rows that were delivered before a restart of the walk may be listed",
    "of parallel walks, the one that fits best counts",
  ],
  fix: "Read every page to the last one, and count each row once, by its id, also after a restart.",
});
