import { describe, expect, it } from "vitest";
import { Examiner } from "../../src/exam/examiner.js";
import type { ExchangeObservation } from "../../src/exam/observation.js";
import type { SharedPassage } from "../../src/replicas/batch.js";
import { type Exam, SharedExam } from "../../src/replicas/exam.js";
import type { SharedRecords } from "../../src/replicas/records.js";
import type { Exchange } from "../../src/sandbox/journal/exchange.js";

/** Has as its state the end times of the exchanges that it got. */
class Listening extends Examiner {
  fed: number[] = [];
  throwsAt = Number.NaN;

  override exchange({ overAt }: ExchangeObservation): void {
    this.fed.push(overAt);
    if (overAt === this.throwsAt) throw new TypeError("not of this release");
  }

  override save(): Buffer {
    return Buffer.from(JSON.stringify(this.fed));
  }

  override restore(data: Uint8Array): this {
    this.fed = JSON.parse(Buffer.from(data).toString());
    return this;
  }

  override copy(): Listening {
    return new Listening().restore(this.save());
  }

  override reset(registration?: string): void {
    if (registration !== "other") this.fed = [];
  }
}

function sharedExam() {
  const examiner = new Listening();
  const observe = (_exchange: unknown, id: number, { overAt }: SharedPassage) => ({ id, client: "demo", overAt });
  const present = (_client: unknown, _options: unknown, judges = examiner) => judges.fed;
  const registrationOf = (client: unknown) => client;
  const exam = { examiner, observe, present, registrationOf } as unknown as Exam;
  const shared = new SharedExam(exam, { redis: { where: "here" } } as unknown as SharedRecords, 1);
  return {
    examiner,
    shared,
    /** Reads a batch, of exchanges that ended at these instants, in milliseconds. It is numbered by its own. */
    reads: (writtenAt: number, ...overAt: readonly number[]) => {
      if (!shared.expects(writtenAt)) return;
      for (const at of overAt) shared.exchange({} as Exchange, 1, { overAt: at } as SharedPassage, writtenAt);
      shared.taken(writtenAt, writtenAt);
    },
    report: () => shared.present() as unknown as number[],
  };
}

describe("the exam of replicas", () => {
  it("judges the exchanges of several replicas in the order of time, whoever writes first", () => {
    const { examiner, reads, report } = sharedExam();
    reads(1_100, 1_040);
    reads(1_110, 1_020);
    expect(examiner.fed).toEqual([]);
    reads(6_000, 5_990);
    expect(examiner.fed).toEqual([1_020, 1_040]);
    expect(report()).toEqual([1_020, 1_040, 5_990]);
  });

  it("judges in the same order if a report is requested in the middle", () => {
    const { reads, report } = sharedExam();
    reads(1_100, 1_040);
    expect(report()).toEqual([1_040]);
    reads(1_110, 1_020);
    expect(report()).toEqual([1_020, 1_040]);
  });

  it("does not delay exchanges because of one that claims to end after it was written", () => {
    const { reads, report } = sharedExam();
    reads(1_000, 9_000_000);
    reads(1_100, 1_050);
    expect(report()).toEqual([9_000_000, 1_050]);
  });

  it("judges the others if the judges fail on one", () => {
    const { shared, examiner, reads, report } = sharedExam();
    examiner.throwsAt = 1_010;
    reads(1_100, 1_010, 1_020);
    reads(1_110, 1_030);
    reads(9_000);
    expect(examiner.fed).toEqual([1_010, 1_020, 1_030]);
    expect(report()).toEqual([1_010, 1_020, 1_030]);
    expect(shared.expects(9_000)).toBe(false);
  });

  it("continues with what another replica has saved, if the journal may not have the entries", () => {
    const [one, late] = [sharedExam(), sharedExam()];
    one.reads(1_000, 900);
    one.reads(5_000, 4_990);
    expect(late.shared.restore(one.shared.save("open"), 5_000)).toBe("open");
    // The journal still has this one.
    late.reads(5_000, 4_990);
    late.reads(6_000, 4_980);
    one.reads(6_000, 4_980);
    expect(one.report()).toEqual([900, 4_980, 4_990]);
    expect(late.report()).toEqual(one.report());
  });

  it("has nothing from before a reset, judged or not", () => {
    const { shared, reads, report } = sharedExam();
    reads(1_000, 900);
    reads(5_000, 4_990);
    shared.reset(5_500, "other");
    expect(report()).toEqual([900, 4_990]);
    shared.reset(5_500, "demo");
    reads(6_000, 5_990);
    expect(report()).toEqual([5_990]);
    shared.reset(7_000);
    expect(report()).toEqual([]);
  });

  it("judges what was over before a reset, although it is forgotten then: whoever reads less at once has done so", () => {
    const [one, other] = [sharedExam(), sharedExam()];
    const resets: string[] = [];
    for (const { examiner } of [one, other])
      examiner.reset = () => {
        resets.push(examiner.fed.join());
      };
    one.reads(1_000, 900);
    one.reads(3_000, 2_990);
    one.shared.reset(3_500, "demo");
    for (const at of [900, 2_990]) other.shared.exchange({} as Exchange, 1, { overAt: at } as SharedPassage, at);
    other.shared.reset(3_500, "demo");
    expect(resets).toEqual(["900", "900"]);
  });

  it("says that no sandbox wrote it if it cannot be read", () => {
    const { shared } = sharedExam();
    expect(() => shared.restore("no state", 5)).toThrow("no sandbox wrote: payments-sandbox:judged");
  });
});
