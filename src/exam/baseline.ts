import type { CheckResult, DrillProblem, DrillReport, Verdict } from "./report.js";

/** An entry of a baseline, whatever it is about. */
export interface BaselineEntry {
  readonly reason: string;
  /** Where the entry is: file, line and column. */
  readonly place: string;
}

/** A known failure of a drill. */
export interface KnownFailure extends BaselineEntry {
  readonly drill: string;
  /** The id of a check, `outcome` or `requests`. */
  readonly check: string;
}

/** What can be a known failure of a drill, besides its checks. */
export const drillSubjects = ["outcome", "requests"] as const;

/** What a report says about the entries of a baseline. */
export interface BaselineReview<Entry extends BaselineEntry = KnownFailure> {
  /** Entries for what does not fail: they must be removed. */
  readonly stale: readonly Entry[];
  /** Entries for what was not decided this time: it is not known whether it fails. */
  readonly undecided: readonly Entry[];
}

/** The known failures of drills. */
export class Baseline {
  constructor(private readonly entries: readonly KnownFailure[] = []) {}

  /** The result of a check. If it failed and the failure is known, it has the reason. */
  marked(drill: string, check: CheckResult): CheckResult {
    return check.verdict === "fail" ? { ...check, ...this.#knownAs(drill, check.id) } : check;
  }

  /** The same for a problem of a drill. */
  markedProblem(drill: string, problem: DrillProblem): DrillProblem {
    return { ...problem, ...this.#knownAs(drill, problem.about) };
  }

  /**
   * Compares the entries with the drills. Entries for drills that were not run, and for ignored checks, are skipped.
   */
  review(drills: readonly DrillReport[]): BaselineReview {
    const stale: KnownFailure[] = [];
    const undecided: KnownFailure[] = [];
    for (const entry of this.entries) {
      const drill = drills.find(({ name }) => name === entry.drill);
      const verdict = drill && verdictOn(drill, entry.check);
      if (verdict === "pass") stale.push(entry);
      else if (verdict === "not-exercised") undecided.push(entry);
    }
    return { stale, undecided };
  }

  #knownAs(drill: string, check: string): { readonly known?: string } {
    const entry = this.entries.find((each) => each.drill === drill && each.check === check);
    return entry === undefined ? {} : { known: entry.reason };
  }
}

/** What to do about a stale entry. */
export function staleText({ drill, check, place }: KnownFailure): string {
  return staleEntry(place, `${drill} no longer fails ${check}`);
}

/** @param what is no longer so */
export function staleEntry(place: string, what: string): string {
  return `${place}: ${what}. Remove the entry, so that the baseline stays correct.`;
}

/** @returns undefined for what this exam did not check */
function verdictOn({ verdict, checks, problems = [] }: DrillReport, subject: string): Verdict | undefined {
  if (problems.some(({ about }) => about === subject)) return "fail";
  if (drillSubjects.some((name) => name === subject)) return verdict === "not-exercised" ? verdict : "pass";
  return checks.find(({ id }) => id === subject)?.verdict;
}
