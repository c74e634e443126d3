import { expect, it } from "vitest";
import { Examiner } from "../../src/exam/examiner.js";
import type { ExchangeObservation } from "../../src/exam/observation.js";
import { type Exam, SharedExam } from "../../src/replicas/exam.js";
import type { SharedLog } from "../../src/replicas/log.js";
import { observationText } from "../../src/replicas/observation-text.js";
import { defaultJournalLimits } from "../../src/sandbox/journal/journal.js";
import { MadeUpClient } from "../exam/observed.js";

/** Records the end times of the exchanges that it gets. */
class Listening extends Examiner {
  readonly fed: number[] = [];
  throwsAt = Number.NaN;

  override exchange({ overAt }: ExchangeObservation): void {
    this.fed.push(overAt);
    if (overAt === this.throwsAt) throw new TypeError("not of this release");
  }
}

/** A batch as in Redis, of exchanges that ended at these instants, in milliseconds. */
function batch(writtenAt: number, ...overAt: readonly number[]): readonly string[] {
  const made: ExchangeObservation[] = [];
  const client = new MadeUpClient(
    Object.assign(new Examiner(), { exchange: (seen: ExchangeObservation) => made.push(seen) }),
  );
  for (const at of overAt) client.does({ overAt: at });
  const text = observationText({ exchanges: made.map((seen, place) => [-place, seen]), handshakes: [] });
  return [`${writtenAt}-0`, "1", "1", `${overAt.length}`, text];
}

function examOf(batches: readonly (readonly string[])[]) {
  const examiner = new Listening();
  const unread = [...batches];
  const redis = { run: async () => unread.splice(0), send: async () => [] };
  const log = { redis, writer: "own" } as unknown as SharedLog;
  const shared = new SharedExam({ examiner } as unknown as Exam, log, defaultJournalLimits, 1);
  return { examiner, shared, unread };
}

it.each([
  ["at once", 1_000],
  ["long after", 1_000_000],
])("judges exchanges that are read %s in the order of time", async (_when, writtenAt) => {
  const { shared, examiner } = examOf([
    batch(writtenAt + 100, writtenAt + 40),
    batch(writtenAt + 110, writtenAt + 20),
    batch(writtenAt + 5_000, writtenAt + 4_990),
  ]);
  await shared.read();
  expect(examiner.fed.map((at) => at - writtenAt)).toEqual([20, 40, 4_990]);
});

it("does not delay exchanges because of one that claims to end after it was written", async () => {
  const { shared, examiner } = examOf([batch(1_000, 9_000_000), batch(1_100, 1_050)]);
  await shared.read();
  expect(examiner.fed).toEqual([9_000_000, 1_050]);
});

it("judges the others if the judges fail on one", async () => {
  const { shared, examiner, unread } = examOf([batch(1_100, 1_010, 1_020), batch(1_110, 1_030)]);
  examiner.throwsAt = 1_010;
  await shared.read();
  expect(examiner.fed).toEqual([1_010, 1_020, 1_030]);
  unread.push(batch(1_200, 1_150));
  await shared.read();
  expect(examiner.fed.at(-1)).toBe(1_150);
});
