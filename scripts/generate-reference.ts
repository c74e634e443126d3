import { errorPage } from "../src/admin/reference/error-page.js";
import { llmsText } from "../src/admin/reference/llms.js";
import { markdownOf } from "../src/base/text/reference-page.js";
import { checkPages } from "../src/exam/check-page.js";
import { errorCodes } from "../src/sandbox/errors.js";
import { ScenarioLibrary } from "../src/sandbox/scenarios/library.js";
import { shippedScenarios } from "../src/sandbox/scenarios/shipped.js";

/** `llms.txt`, and the pages about error codes and checks: path in the repository, and text. */
export async function generated(root: string): Promise<Map<string, string>> {
  const library = new ScenarioLibrary({ builtIn: `${root}/scenarios`, folder: undefined });
  await library.read();
  const scenarios = shippedScenarios(library.all());
  library.close();
  return new Map([
    ["llms.txt", llmsText()],
    ...errorCodes.map((code) => [`docs/errors/${code}.md`, markdownOf(errorPage(code, scenarios))] as const),
    ...checkPages(scenarios).map((page) => [`docs/checks/${page.title}.md`, markdownOf(page)] as const),
  ]);
}
