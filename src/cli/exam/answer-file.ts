import { writeFile } from "node:fs/promises";
import { readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import { judgeAnswers } from "../../exam/answers/judge.js";
import { type AnswerSheet, largestSheet, parseSheet, sheetWithout } from "../../exam/answers/sheet.js";
import type { CheckResult } from "../../exam/report.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import type { Tally } from "../run/tally.js";

/** The file in which a client may write what it understood (docs/guide/exam.md). */
export class AnswerFile {
  private constructor(private readonly path: string) {}

  /**
   * Creates an empty file that only this user can read.
   * @param path in a folder that is removed afterwards
   */
  static async create(path: string): Promise<AnswerFile> {
    await writeFile(path, "", { mode: 0o600, flag: "wx" });
    return new AnswerFile(path);
  }

  /** For the environment of the command. */
  get variables(): Readonly<Record<string, string>> {
    return { SANDBOX_ANSWERS: this.path };
  }

  /**
   * The checks of a report, with the verdicts on the answer sheet. The command has ended.
   * @param tally has counted every request of the sandbox
   */
  async judged(
    checks: readonly CheckResult[],
    { journal, lists }: Pick<Sandbox, "journal" | "lists">,
    tally: Pick<Tally, "requests">,
  ): Promise<readonly CheckResult[]> {
    const sheet = await this.read({ lists });
    const entries = [...journal.requests.newestFirst()].reverse();
    const results = judgeAnswers(sheet, { lists, entries, isComplete: entries.length === tally.requests });
    return checks.map((check) => results.find(({ id }) => id === check.id) ?? check);
  }

  /** The sheet. The command may have put anything in the place of the file. */
  async read({ lists }: Pick<Sandbox, "lists">): Promise<AnswerSheet> {
    try {
      const names = lists.map(({ name }) => name);
      return parseSheet(utf8Text(await readRegularFile(this.path, largestSheet)), names);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return sheetWithout();
      const message = `The answer sheet cannot be read: ${unreadableBecause(error)}.`;
      return sheetWithout({ about: "answers.rows", message });
    }
  }
}
