import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "../../base/files/make-folder.js";
import { unreadableBecause } from "../../base/files/regular-file.js";
import type { Report } from "../../exam/report.js";
import { runFiles } from "../../kept/format.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { getPlainly } from "../plain-http.js";
import type { Output } from "../run/running-commands.js";
import type { Drill } from "./drills.js";

/** The files of the journal, by format. */
const journals = { har: "journal.har", ndjson: "journal.ndjson" } as const;

/**
 * Makes the folder of `--keep`.
 * @throws SettingError if it cannot be made or written to
 */
export async function openKept(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  try {
    await makeFolder(resolve(folder));
    const probe = join(folder, ".probe");
    await writeFile(probe, "");
    await rm(probe);
  } catch (error) {
    throw new SettingError(`--keep is ${folder}, which cannot be written to: ${unreadableBecause(error)}.`);
  }
}

/**
 * Writes what happened in a run into a folder with its name: the journal as HAR and as NDJSON, what the command
 * printed, the scenario, and the files that `payments-sandbox open` shows. Nothing has a token or a key.
 * @param folder of `--keep`
 * @param report on the run, if there is one
 */
export async function keepRun(
  folder: string,
  { name, scenario, text }: Pick<Drill, "name" | "scenario" | "text">,
  sandbox: Pick<Sandbox, "adminUrl" | "adminToken" | "kept">,
  output: Output,
  report?: Report,
): Promise<void> {
  const target = join(folder, name);
  await rm(target, { recursive: true, force: true });
  await makeFolder(target);
  for (const [format, file] of Object.entries(journals))
    await writeFile(join(target, file), await journalOf(sandbox, format));
  await writeFile(join(target, "output.txt"), output.lines.lines.map((line) => `${line}\n`).join(""));
  if (scenario !== undefined) await writeFile(join(target, `${scenario}.yaml`), text);
  const { kept } = sandbox;
  if (kept === undefined) return;
  for (const file of await readdir(kept)) await copyFile(join(kept, file), join(target, file));
  if (report) await writeFile(join(target, runFiles.report), JSON.stringify(report), { mode: 0o600 });
}

async function journalOf({ adminUrl, adminToken }: Pick<Sandbox, "adminUrl" | "adminToken">, format: string) {
  const headers = { ...(adminToken && { Authorization: `Bearer ${adminToken.value}` }) };
  const { status, body } = await getPlainly(`${adminUrl}/journal/export?format=${format}`, { headers });
  if (status !== 200 || body === undefined) throw new Error(`The journal cannot be read: status ${status}.`);
  return body;
}
