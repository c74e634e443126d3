import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ScenarioLibrary } from "../src/sandbox/scenarios/library.js";
import { fillRegions, regionsOf } from "./markdown.js";
import { adminTables } from "./reference/admin-api.js";
import { checkTables } from "./reference/checks.js";
import { commandTables } from "./reference/commands.js";
import { configurationTables } from "./reference/configuration.js";
import { connectionTables } from "./reference/connections.js";
import { errorTables } from "./reference/errors.js";
import { exploreTables } from "./reference/explore.js";
import { libraryTables } from "./reference/library.js";
import { mcpTables } from "./reference/mcp.js";
import { metricTables } from "./reference/metrics.js";
import { scenarioTables } from "./reference/scenarios.js";
import { settingTables } from "./reference/settings.js";
import { terminalExample } from "./reference/terminal-example.js";

/** Every page with a generated region: its path in the repository, and its text. */
export async function generated(root: string): Promise<Map<string, string>> {
  const files = await readdir(join(root, "docs"), { recursive: true });
  const pages = files.filter((name) => name.endsWith(".md")).map((name) => `docs/${name.replaceAll("\\", "/")}`);
  const texts = await regions(root);
  const filled = new Map<string, string>();
  for (const path of pages.sort()) {
    const page = await readFile(join(root, path), "utf8");
    if (regionsOf(page).length > 0) filled.set(path, fillRegions(page, path, texts));
  }
  return filled;
}

/** Every region that a page can have, by name. */
export async function regions(root: string): Promise<Readonly<Record<string, () => string>>> {
  const library = new ScenarioLibrary({ builtIn: join(root, "scenarios"), folder: undefined });
  await library.read();
  const scenarios = library.all();
  library.close();
  return {
    ...settingTables,
    ...commandTables,
    ...configurationTables(),
    ...scenarioTables(),
    ...adminTables(),
    ...libraryTables(root),
    ...checkTables(scenarios),
    ...errorTables(scenarios),
    ...metricTables,
    ...mcpTables(),
    ...connectionTables,
    ...exploreTables,
    terminal: terminalExample,
  };
}
