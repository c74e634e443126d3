import { join } from "node:path";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { clientCommand, readReport } from "./exam-client.js";
import { temporary } from "./sandboxed.js";

/**
 * An exam of a kind of client.
 * @param env chooses the kind: see test/exam/kinds-client.program.ts
 * @param files of its folder
 */
export async function examOfKind(
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
  files: Readonly<Record<string, string>> = {},
) {
  const cwd = workFolder(files);
  const words = ["exam", "--report", "report.json", "report.md", ...flags, ...command()];
  const { code, stdout } = await inProcess(words, { cwd, env: { ...temporary().env, ...env } });
  return { code, cwd, text: stdout.replaceAll(/\s+/g, " "), ...readReport(join(cwd, "report.json")) };
}

const command = () => clientCommand("test/exam/kinds-client.program.ts");

type KindReport = Pick<Awaited<ReturnType<typeof examOfKind>>, "drills">;

/** What fails the client, each with its drill. */
export function failuresIn({ drills }: KindReport): readonly string[] {
  return drills.flatMap(({ name, checks, problems = [] }) => [
    ...problems.map(({ about, message }) => `${name}: ${about}: ${message}`),
    ...checks.flatMap(({ id, level, verdict, message }) =>
      verdict === "fail" && level === "must" ? [`${name}: ${id}: ${message}`] : [],
    ),
  ]);
}

/** The drills that were not exercised. */
export function idleIn({ drills }: KindReport): readonly string[] {
  return drills.filter(({ verdict }) => verdict === "not-exercised").map(({ name }) => name);
}
