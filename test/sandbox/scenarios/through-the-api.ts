import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { type ApiAnswer, type ApiRequest, createHarness, type Harness, type HarnessOptions } from "../api/harness.js";
import { upload } from "./upload.js";

/** The API without TLS, with scenarios that are given as the text of their rules. */
export async function createScenarioHarness(rules: Readonly<Record<string, string>>, options: HarnessOptions = {}) {
  const library = await ScenarioLibrary.open({ builtIn: "/nonexistent", folder: undefined });
  for (const [name, text] of Object.entries(rules))
    await upload(library, name, `description: For a test.\nrules:\n${text}`);
  const harness = await createHarness({ ...options, library });
  const tokens = { demo: await harness.tokenFor("demo"), other: await harness.tokenFor("other") };

  /** A request of a client with its token. */
  function get(target: string, { as = "demo", ...request }: ApiRequest & { as?: "demo" | "other" } = {}) {
    return harness.send(target, { peer: harness.peers[as], token: tokens[as], ...request });
  }

  return { ...harness, library, tokens, get };
}

export type ScenarioHarness = Awaited<ReturnType<typeof createScenarioHarness>>;

/** A harness with one rule in the scenario `it`, and a function that sends a GET with this scenario. */
export async function under(rule: string) {
  const harness = await createScenarioHarness({ it: `  - ${rule}` });
  return { harness, get: (target: string) => harness.get(target, { headers: choose("it") }) };
}

/** Name and value of the header that chooses a scenario for one request. */
export function choose(name: string): string[] {
  return ["Sandbox-Scenario", name];
}

export function faultOf(answer: ApiAnswer): string | null {
  return answer.headers.get("Sandbox-Fault");
}

/** Activates a scenario for a client, like the admin API. */
export function activate(harness: Harness, client: "demo" | "other", name: string | null | undefined): void {
  const { scenario, clock } = harness.clients.get(client) ?? {};
  if (!scenario || !clock) throw new Error(`There is no client ${client}.`);
  if (name) scenario.restart(name, clock.now());
  scenario.active = name;
}
