import { cp, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "../../src/base/once.js";
import { type OpenedRuns, openKept } from "../../src/library/open-kept.js";
import { AdminClient } from "../admin/admin-client.js";
import { start } from "../admin/fixture.js";
import { afterTest } from "../support/cleanups.js";

export const newFolder = () => mkdtemp(join(tmpdir(), "payments-sandbox-keep-"));

/** Opens kept runs until the end of the test. */
export async function open(folder: string): Promise<OpenedRuns & { readonly admin: AdminClient }> {
  const opened = await openKept(folder, 0);
  afterTest(() => opened.close());
  const admin = new AdminClient(opened.url, undefined);
  afterTest(() => admin.close());
  return { ...opened, admin };
}

/** The folder of the one run in a folder. */
export async function folderOfRunIn(keep: string): Promise<string> {
  const [name = "", ...others] = await readdir(keep);
  if (others.length > 0) throw new Error(`There are ${others.length + 1} runs.`);
  return join(keep, name);
}

/** A run with a request for a token, one that was served and one that was refused. */
async function keptRun(): Promise<string> {
  const keep = await newFolder();
  const sandbox = await start({ keep });
  const demo = await sandbox.standing("demo");
  await demo.ping();
  await demo.get("/v1/nowhere", "none");
  await sandbox.close();
  return keep;
}

const original = once(keptRun);

/** A copy of that run, to be changed. */
export async function copyOfRun(): Promise<{ readonly keep: string; readonly folder: string }> {
  const keep = await newFolder();
  await cp(await original(), keep, { recursive: true });
  return { keep, folder: await folderOfRunIn(keep) };
}
