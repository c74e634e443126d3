import { expect } from "vitest";
import { parse } from "yaml";
import { isObject } from "../../../src/base/text/json-object.js";
import { startSandbox } from "../../../src/index.js";
import { answersOf, type Seen } from "./corpus.js";
import { drawnOptions, valuesOfTurn } from "./drawn.js";
import { calibrated, temporaryFile } from "./service.js";

/** The least number of requests in the corpus. */
const corpusSize = 200;

/**
 * Starts a sandbox with drawn assumptions, and the countable values of this turn, calibrates against it, starts another
 * one with the result, and compares the answers of both.
 */
export async function expectRecovery(seed: number, turn: number): Promise<void> {
  const drawn = drawnOptions(seed);
  const options = { ...drawn, assumptions: { ...drawn.assumptions, ...valuesOfTurn(turn) } };
  await using service = await startSandbox(options);
  const [client, other] = [
    await service.createClient({ clientId: "tester", scopes: ["read", "small"] }),
    await service.createClient({ clientId: "somebody" }),
  ];
  const { yaml, run, compared } = await calibrated(
    { url: new URL(service.url), ca: service.ca, client: client.tls, other: other.tls },
    "tester",
    {
      paths: Object.values(options.lists).map(({ path = "" }) => path.replace("{accountId}", "{accountId=acc-1}")),
      otherScope: "small",
    },
  );
  expect(run.stopped).toBeUndefined();
  expect((await compared()).differences).toEqual([]);
  expect(
    otherStatuses(parse(yaml).assumptions, options.assumptions),
    "refusals with another status than drawn",
  ).toEqual([]);
  const config = temporaryFile("sandbox.yaml", yaml);
  await using imitation = await startSandbox({ config, assumedHeader: false });
  const [second, third] = [
    await imitation.createClient({ clientId: "tester", scopes: ["read", "small"] }),
    await imitation.createClient({ clientId: "somebody" }),
  ];
  const expected = await answersOf(client, other, options);
  expect(Object.keys(expected).length).toBeGreaterThanOrEqual(corpusSize);
  const answers = await answersOf(second, third, options);
  expect(Object.keys(expected).flatMap((what) => differences(what, expected[what], answers[what]))).toEqual([]);
}

/**
 * The refusals that were found with another status than was drawn: a step that is refused for another reason than its
 * own shows that reason's answer, here and in the imitation.
 */
function otherStatuses(found: object, drawn: object): readonly string[] {
  const expected = new Map(Object.entries(drawn).map(([id, value]) => [id, statusOf(value)]));
  return Object.entries(found)
    .filter(([id, value]) => expected.get(id) !== undefined && expected.get(id) !== statusOf(value))
    .map(([id, value]) => `${id}: ${statusOf(value)}, drawn ${expected.get(id)}`);
}

function statusOf(value: unknown): unknown {
  return isObject(value) ? value["status"] : undefined;
}

/** Each member of an answer that differs from the expected one, on one line. */
function differences(what: string, expected: Seen = {}, found: Seen = {}): readonly string[] {
  return (["status", "code", "error", "shape", "headers"] as const).flatMap((name) => {
    const [one, other] = [JSON.stringify(expected[name]), JSON.stringify(found[name])];
    return one === other ? [] : [`${what}: ${name} ${part(one, other)}, and in the imitation ${part(other, one)}`];
  });
}

/** The part of a text that differs from another one. */
function part(text = "", other = ""): string {
  const start = [...text].findIndex((character, place) => character !== other[place]);
  return text.length < 80 ? text : `…${text.slice(Math.max(0, start - 30), start + 50)}…`;
}
