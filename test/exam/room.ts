/** What belongs to the room beside its folder: what feeds it, and what shows its report. A folder ends with a slash. */
export const room = [
  "composition/exam.ts",
  "composition/observation.ts",
  "cli/exam.ts",
  "cli/exam/",
  "cli/report/",
  "cli/run/report.ts",
];

export const isOfRoom = (file: string) =>
  file.startsWith("exam/") || room.some((member) => (member.endsWith("/") ? file.startsWith(member) : file === member));

/** The lines that are left: in the composition root, and in the command line. */
export const doors = ["cli/main.ts", "cli/run.ts", "sandbox.ts"];
