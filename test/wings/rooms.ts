/** An optional part: the rest compiles without it, except for the lines that import it. */
export interface Room {
  readonly name: string;
  /** Its files and folders in src/; a folder ends with a slash. */
  readonly members: readonly string[];
  /** The files with these lines: in the composition root, and in the command line. */
  readonly doors: readonly string[];
}

export const rooms: readonly Room[] = [
  {
    name: "exam",
    // The code that provides its input and the code that shows its report belong to it.
    members: [
      "exam/",
      "composition/exam.ts",
      "composition/observation/",
      "shared/exam.ts",
      "shared/observation-text.ts",
      "cli/exam.ts",
      "cli/exam/",
      "cli/report/",
      "cli/run/report.ts",
    ],
    doors: [
      "cli/program.ts",
      "cli/run.ts",
      "composition/records.ts",
      "shared/journal-writer.ts",
      "shared/journal.ts",
      "shared/shared.ts",
    ],
  },
  { name: "calibrate", members: ["calibrate/", "cli/calibrate.ts", "cli/calibrate/"], doors: ["cli/program.ts"] },
];

export function isOf({ members }: Room, file: string): boolean {
  return members.some((member) => (member.endsWith("/") ? file.startsWith(member) : file === member));
}
