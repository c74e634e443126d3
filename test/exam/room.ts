/** What belongs to the room beside its folder: what feeds it, and what shows its report. */
export const room = ["composition/exam.ts", "composition/observation.ts", "cli/run/report.ts"];

export const isOfRoom = (file: string) => file.startsWith("exam/") || room.includes(file);

/** The lines that are left: in the composition root, and in the command line. */
export const doors = ["cli/main.ts", "cli/run.ts", "sandbox.ts"];
