import { expect } from "vitest";
import { startSandbox } from "../../src/index.js";
import { answersOf } from "./corpus.js";
import { drawnOptions } from "./drawn.js";
import { calibrated, temporaryFile } from "./service.js";

/**
 * Starts a sandbox with drawn assumptions, calibrates against it, starts another one with what was written, and compares the answers of both.
 */
export async function expectRecovery(seed: number): Promise<void> {
  const options = drawnOptions(seed);
  await using service = await startSandbox(options);
  const [client, other] = [
    await service.createClient({ clientId: "tester", scopes: ["read", "small"] }),
    await service.createClient({ clientId: "somebody" }),
  ];
  const { yaml, run } = await calibrated(
    { url: new URL(service.url), ca: service.ca, client: client.tls, other: other.tls },
    "tester",
    {
      paths: [(options.lists?.["things"]?.path ?? "").replace("{accountId}", "{accountId=acc-1}")],
      otherScope: "small",
    },
  );
  expect(run.stopped).toBeUndefined();
  const config = temporaryFile("sandbox.yaml", yaml);
  await using imitation = await startSandbox({ config, assumedHeader: false });
  const [second, third] = [
    await imitation.createClient({ clientId: "tester", scopes: ["read", "small"] }),
    await imitation.createClient({ clientId: "somebody" }),
  ];
  const expected = await answersOf(client, other, options);
  const answers = await answersOf(second, third, options);
  const different = Object.keys(expected).filter(
    (what) => JSON.stringify(answers[what]) !== JSON.stringify(expected[what]),
  );
  const pick = (all: typeof expected) => Object.fromEntries(different.map((what) => [what, all[what]]));
  expect({ seed, ...pick(answers) }).toEqual({ seed, ...pick(expected) });
}
