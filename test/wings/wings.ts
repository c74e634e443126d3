/** A top folder of src/, and the wings that it may import. `index.ts` is what `library/` publishes. */
export const wings = {
  base: [],
  sandbox: ["base"],
  report: ["sandbox", "base"],
  admin: ["sandbox", "base", "report"],
  exam: ["sandbox", "base", "report"],
  explore: ["sandbox", "base", "report", "exam"],
  imitate: ["sandbox", "base"],
  replicas: ["sandbox", "base", "admin", "exam"],
  kept: ["sandbox", "base", "admin", "exam", "report"],
  library: ["sandbox", "base", "admin", "exam", "kept", "replicas"],
  cli: ["library", "sandbox", "base", "exam", "explore", "report", "imitate", "admin", "kept"],
  "index.ts": ["library", "sandbox", "base", "admin"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A wing that can be deleted: the rest compiles, except for the lines that import it. */
export interface Detachable {
  readonly name: string;
  /** Its files and folders in src/; a folder ends with a slash. */
  readonly members: readonly string[];
  /**
   * The files with these lines: in the composition root, in the command line, and in a wing that carries it further.
   */
  readonly doors: readonly string[];
}

export const detachable: readonly Detachable[] = [
  {
    name: "exam",
    // The commands that show its reports belong to it, and so does what explores with its judges.
    members: [
      "exam/",
      "explore/",
      "cli/explore.ts",
      "cli/explore/",
      "cli/run/one-run.ts",
      "cli/exam.ts",
      "cli/exam/",
      "cli/report/",
      "cli/run/report.ts",
    ],
    doors: [
      "cli/program.ts",
      "cli/run.ts",
      "kept/exchange-line.ts",
      "kept/keeper.ts",
      "kept/restore.ts",
      "library/composition/admin.ts",
      "library/composition/foundation.ts",
      "library/composition/keeping.ts",
      "library/composition/sandbox.ts",
      "library/open-kept.ts",
      "replicas/shared.ts",
    ],
  },
  {
    name: "explore",
    members: ["explore/", "cli/explore.ts", "cli/explore/"],
    doors: ["cli/exam/baseline-file.ts", "cli/program.ts"],
  },
  {
    name: "imitate",
    members: ["imitate/", "cli/calibrate.ts", "cli/calibrate/", "cli/import.ts", "cli/import/"],
    doors: ["cli/program.ts"],
  },
  {
    name: "kept",
    members: ["kept/", "cli/open.ts", "library/composition/keeping.ts", "library/open-kept.ts"],
    doors: [
      "cli/exam/keep.ts",
      "cli/program.ts",
      "library/composition/foundation.ts",
      "library/composition/sandbox.ts",
    ],
  },
  { name: "replicas", members: ["replicas/"], doors: ["library/composition/shared.ts"] },
];

export function isOf({ members }: Detachable, file: string): boolean {
  return members.some((member) => (member.endsWith("/") ? file.startsWith(member) : file === member));
}
