import type { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";

/** Uploads a scenario as `PUT /scenarios/NAME` does. */
export async function upload(library: ScenarioLibrary, name: string, text: string): Promise<void> {
  library.keep(await library.compile(name, text));
}
