import { displayPath } from "../base/files/display-path.js";
import { counted } from "../base/text/numbers.js";
import { openKept } from "../library/open-kept.js";
import { readSetting } from "../sandbox/config/settings.js";
import { endings } from "./ending-signals.js";
import type { OpenFlags } from "./options.js";

/**
 * `payments-sandbox open FOLDER`: shows kept runs until a signal ends it.
 * @throws KeptRunError if the folder has none, SettingError or ListenError
 */
export async function open(folder: string, { port }: OpenFlags): Promise<void> {
  const number = port === undefined ? 0 : (readSetting("adminPort", port, "--port") as number);
  const { url, runs, problems, close } = await openKept(folder, number);
  for (const problem of problems) process.stderr.write(`payments-sandbox: ${problem}\n`);
  process.stdout.write(
    `${counted(runs.length, "kept run")} of ${displayPath(folder)}, for reading only: ${url}\nStop with Ctrl+C.\n`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of endings) process.once(signal, () => resolve());
  });
  await close();
}
