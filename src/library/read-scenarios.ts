import { builtInScenarios, ScenarioLibrary } from "../sandbox/scenarios/library.js";

/**
 * All scenarios, built-in ones and those of the user, as their files are now.
 * @param folder the user's own
 */
export async function readScenarios(folder: string | undefined): Promise<ScenarioLibrary> {
  const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder });
  library.close();
  return library;
}
