import { expect, it } from "vitest";
import { Examiner } from "../../src/exam/examiner.js";
import type { ExchangeObservation } from "../../src/exam/observation.js";
import { type Exam, SharedExam } from "../../src/replicas/exam.js";
import type { SharedPassage } from "../../src/replicas/passage.js";
import type { SharedRecords } from "../../src/replicas/records.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";

/** Records the end times of the exchanges that it gets. */
class Listening extends Examiner {
  readonly fed: number[] = [];
  throwsAt = Number.NaN;

  override exchange({ overAt }: ExchangeObservation): void {
    this.fed.push(overAt);
    if (overAt === this.throwsAt) throw new TypeError("not of this release");
  }
}

function sharedExam() {
  const examiner = new Listening();
  const observe = (_exchange: unknown, id: number, { overAt }: SharedPassage) => ({ id, client: "demo", overAt });
  const shared = new SharedExam({ examiner, observe } as unknown as Exam, {} as SharedRecords, 1);
  /** Reads a batch, of exchanges that ended at these instants, in milliseconds. */
  const reads = (writtenAt: number, ...overAt: readonly number[]) => {
    const position = `${writtenAt}-0`;
    for (const at of overAt) shared.exchange({} as Exchange, 1, { overAt: at } as SharedPassage, position, position);
    shared.taken(position);
  };
  return { examiner, shared, reads };
}

it("judges the exchanges of several replicas in the order of time, whoever writes first", () => {
  const { shared, examiner, reads } = sharedExam();
  reads(1_100, 1_040);
  reads(1_110, 1_020);
  expect(examiner.fed).toEqual([]);
  reads(6_000, 5_990);
  expect(examiner.fed).toEqual([1_020, 1_040]);
  shared.judgeAll();
  expect(examiner.fed).toEqual([1_020, 1_040, 5_990]);
});

it("does not delay exchanges because of one that claims to end after it was written", () => {
  const { shared, examiner, reads } = sharedExam();
  reads(1_000, 9_000_000);
  reads(1_100, 1_050);
  shared.judgeAll();
  expect(examiner.fed).toEqual([9_000_000, 1_050]);
});

it("judges the others if the judges fail on one", () => {
  const { shared, examiner, reads } = sharedExam();
  examiner.throwsAt = 1_010;
  reads(1_100, 1_010, 1_020);
  reads(1_110, 1_030);
  shared.judgeAll();
  expect(examiner.fed).toEqual([1_010, 1_020, 1_030]);
  reads(1_200, 1_150);
  shared.judgeAll();
  expect(examiner.fed.at(-1)).toBe(1_150);
});
