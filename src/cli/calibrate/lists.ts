import { displayPath } from "../../base/files/display-path.js";
import { counted } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import type { ListTarget } from "../../imitate/calibrate/seen-answers.js";
import { type KnownLists, listTargets, TargetError } from "../../imitate/calibrate/targets.js";
import { importDocument } from "../../imitate/import/import-document.js";
import type { FileConfiguration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { defaultLists } from "../../sandbox/lists/settings.js";

/** Most lists of a document that are probed without being named: each needs 25 requests or more. */
const mostLists = 12;

/**
 * What is known about lists before the first request: from the document of `--openapi`, and from the configuration.
 * @param basePath the path of the base URL
 * @throws FileError for a document that cannot be read
 */
export async function readKnownLists(
  openapi: string | undefined,
  basePath: string,
  configuration: FileConfiguration,
): Promise<KnownLists> {
  const { lists } = openapi === undefined ? { lists: [] } : await importDocument(openapi, { basePath });
  const own = Object.entries(configuration.lists).filter(
    ([name, settings]) => settings !== defaultLists[name as keyof typeof defaultLists],
  );
  const base = configuration.settings.basePath ?? "";
  const below = (path: string) => (path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path);
  return {
    documented: lists,
    present: new Map(own.map(([name, { path }]) => [below(`${base}${path ?? `/v1/${name}`}`), name])),
  };
}

/**
 * The lists to probe: those of `--list`, or else those of the document.
 * @throws SettingError for a path that cannot be the path of a list
 */
export function readTargets(paths: readonly string[], known: KnownLists): readonly ListTarget[] {
  for (const path of paths) {
    try {
      listTargets([path]);
    } catch (error) {
      if (error instanceof TargetError) throw new SettingError(`--list is ${quote(path)}, which ${error.message}.`);
      throw error;
    }
  }
  const { asked } = documentedPaths(known);
  return listTargets(paths.length > 0 ? paths : asked, known);
}

/** The lists of the document that are probed without `--list`: those whose paths need no value, up to a limit. */
function documentedPaths({ documented = [] }: KnownLists) {
  const paths = documented.map(({ settings }) => settings.path ?? "");
  const complete = paths.filter((path) => !path.includes("{"));
  return { asked: complete.slice(0, mostLists), incomplete: paths.filter((path) => path.includes("{")), complete };
}

/** The lists of the file itself, for `--check` without `--list`: those that can be asked, and a line for each other one. */
export function writtenPaths({ present = new Map() }: KnownLists) {
  const paths = [...present.keys()];
  const told = paths.filter((path) => path.includes("{")).map(notProbed);
  return { asked: paths.filter((path) => !path.includes("{")), told: told.map((line) => `${line}\n`).join("") };
}

function notProbed(path: string): string {
  return `  Not probed, because a value is needed: --list '${path.replaceAll("}", "=VALUE}")}'`;
}

/** What was found in the document, as lines for people; empty without a document. */
export function documentText(
  openapi: string | undefined,
  known: KnownLists,
  paths: readonly string[],
  targets: readonly ListTarget[],
): string {
  if (openapi === undefined) return "";
  const { documented = [] } = known;
  const { asked, incomplete, complete } = documentedPaths(known);
  const found = `${displayPath(openapi)}: ${counted(documented.length, "list")}, `;
  const used = targets.filter((target) => target.documented !== undefined).length;
  if (paths.length > 0) return `${found}${used} of them named with --list.\n`;
  const lines = [
    `${found}${asked.length} of them probed.`,
    ...incomplete.map(notProbed),
    ...(complete.length > asked.length
      ? [`  Not probed: ${complete.length - asked.length} more. Name those that matter with --list.`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}
