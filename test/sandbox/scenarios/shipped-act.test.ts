import { describe, expect, it } from "vitest";
import { deriveSeed } from "../../../src/sandbox/scenarios/draw.js";
import { builtInScenarios, ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { createHarness } from "../api/harness.js";

const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder: undefined });
library.close();

/** Scenarios that do not act on a sequential client, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "last-page-cursor-leads-nowhere": "acts on the last page, and the list of the example has a thousand",
  "certificate-expires": "needs certificates that can be renewed, which the harness does not have",
  "certificate-revoked": "needs certificates that can be renewed, which the harness does not have",
  everything: "waits for a header",
};

const names = library
  .all()
  .filter(({ name, scenario }) => scenario?.rules.length && !(name in exceptions))
  .map(({ name }) => name);

/**
 * A client that requests a token, pings twice and walks four pages. Returns the handle of the first fault that acts.
 */
async function firstFault(name: string): Promise<string | undefined> {
  const harness = await createHarness({ library });
  // As in the exam: the client demo, in a sandbox with the seed 1.
  harness.clients.remove("demo");
  const seed = deriveSeed("1", "demo");
  const client = harness.clients.register({ id: "demo", thumbprints: ["demo-thumbprint"], scopes: ["read"], seed });
  client.scenario.restart(name, client.clock.now());
  client.scenario.active = name;
  let handle: string | undefined;
  const send = async (sending: ReturnType<typeof harness.send>) => {
    // Without TLS there is no connection that a fault could break, so the attempt is an error.
    const answer = await sending.catch((error: Error) => {
      expect(error.message).toContain("no connection that can be broken");
      handle ??= "connection";
      return undefined;
    });
    handle ??= answer?.headers.get("Sandbox-Fault") ?? undefined;
    return answer;
  };
  const issued = await send(harness.postToken("grant_type=client_credentials&client_id=demo&scope=read"));
  const token = handle === undefined ? (issued?.json.access_token as string | undefined) : undefined;
  let cursor: string | undefined;
  for (const target of ["/v1/ping", "/v1/ping", ...Array.from({ length: 4 }, () => "/v1/payments?pageSize=10")]) {
    if (handle !== undefined) break;
    const answer = await send(harness.send(cursor === undefined ? target : `${target}&cursor=${cursor}`, { token }));
    if (handle === undefined) cursor = answer?.json?.nextCursor;
  }
  return handle;
}

describe("each built-in scenario acts on a client that requests a token, pings twice and walks four pages", () => {
  it.each(names)("%s", async (name) => {
    expect(await firstFault(name)).toMatch(new RegExp(`^(${name}/|connection$)`));
  });
});
