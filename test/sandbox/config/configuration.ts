import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Configuration } from "../../../src/sandbox/config/configuration.js";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../../src/sandbox/config/settings.js";

/** A folder with these files, removed after the test. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The configuration of a start in a folder with this `sandbox.yaml`. */
export function configured(
  yaml: string,
  { files = {}, flags = {}, environment = {} }: Partial<ConfiguredOptions> = {},
): Promise<Configuration> {
  return resolveConfiguration(flags, environment, folderWith({ ...files, "sandbox.yaml": yaml }));
}

interface ConfiguredOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly flags: GivenSettings;
  readonly environment: Readonly<Record<string, string>>;
}

/** The problems of a configuration, without the folder of the file. */
export async function problemsOf(
  yaml: string | Buffer,
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<string[]> {
  const folder = folderWith({ ...files, "sandbox.yaml": yaml });
  try {
    await resolveConfiguration({}, {}, folder);
    return [];
  } catch (error) {
    if (!(error instanceof Error) || !["FileError", "SettingError"].includes(error.name)) throw error;
    return error.message.replaceAll(`${folder}/`, "").split("\n");
  }
}
