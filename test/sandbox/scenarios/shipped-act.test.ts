import { describe, expect, it } from "vitest";
import { deriveSeed } from "../../../src/sandbox/scenarios/draw.js";
import type { Need } from "../../../src/sandbox/scenarios/expectation.js";
import { builtInScenarios, ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import type { Rule } from "../../../src/sandbox/scenarios/rule.js";
import { createHarness } from "../api/harness.js";

const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder: undefined });
library.close();

/** Scenarios that do not act on a sequential client, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "last-page-cursor-leads-nowhere": "acts on the last page, and the list of the example has a thousand",
  "certificate-expires": "needs certificates that can be renewed, which the harness does not have",
  "certificate-rotation-half-done": "needs certificates that can be renewed, which the harness does not have",
  "certificate-revoked": "needs certificates that can be renewed, which the harness does not have",
  "handshake-hangs": "acts on the handshake, which the harness does not have",
  "next-link-without-filters": "acts on lists that have links",
  everything: "waits for a header",
};

const names = library
  .all()
  .filter(({ name, scenario }) => scenario?.rules.length && !(name in exceptions))
  .map(({ name }) => name);

/** By what a rule acts, each a need; undefined if every program sends it. */
function triggersOf({ when, operations }: Rule): readonly Need[] | undefined {
  const page = when.find(({ condition }) => condition.name === "page")?.value;
  if (page !== undefined) return page === 1 ? ["list"] : page === 2 ? ["second-page"] : ["third-page"];
  if (operations.includes("token")) return undefined;
  return (["ping", "list"] as const).filter((name) => operations.includes(name));
}

/** A later page needs the earlier ones. */
const pages: readonly Need[] = ["list", "second-page", "third-page", "last-page"];

describe("each built-in scenario says what it needs of a program", () => {
  it.each(names)("%s", (name) => {
    const { rules = [], expectation } = library.scenario(name) ?? {};
    const triggers = rules.map(triggersOf);
    if (triggers.includes(undefined)) return;
    const needs = expectation?.needs ?? [];
    const stated = [...needs, ...pages.slice(0, Math.max(...needs.map((need) => pages.indexOf(need))) + 1)];
    // One rule that acts is enough.
    expect(triggers.some((words) => words?.every((need) => stated.includes(need)))).toBe(true);
  });
});

const harness = await createHarness({ library });

/**
 * A client that requests a token, pings twice and walks four pages. Returns the handle of the first fault that acts.
 */
async function firstFault(name: string): Promise<string | undefined> {
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
