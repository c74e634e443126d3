import type { CheckResult, DrillProblem, DrillReport } from "./report.js";

/** A failure that is known, as the baseline names it. */
export interface KnownFailure {
  readonly drill: string;
  /** The id of a check, `outcome` or `requests`. */
  readonly check: string;
  readonly reason: string;
  /** Where it stands: file, line and column. */
  readonly place: string;
}

/** What can be known of a drill beside its checks. */
export const drillSubjects = ["outcome", "requests"] as const;

/** What an exam says about the entries of a baseline. */
export interface BaselineReview {
  /** What is said to fail, and does not: these entries have to go. */
  readonly stale: readonly KnownFailure[];
  /** What was not exercised this time, so that nobody can say. */
  readonly undecided: readonly KnownFailure[];
}

/** The failures that are known. */
export class Baseline {
  readonly #entries: readonly KnownFailure[];

  constructor(entries: readonly KnownFailure[] = []) {
    this.#entries = entries;
  }

  /** The result of a check, with the reason where it failed and the failure is known. */
  marked(drill: string, check: CheckResult): CheckResult {
    return check.verdict === "fail" ? { ...check, ...this.#knownAs(drill, check.id) } : check;
  }

  /** The same for a problem of a drill. */
  markedProblem(drill: string, problem: DrillProblem): DrillProblem {
    return { ...problem, ...this.#knownAs(drill, problem.about) };
  }

  /** Compares the entries with what the drills say. Entries for drills that were not run, and for ignored checks, are left alone. */
  review(drills: readonly DrillReport[]): BaselineReview {
    const stale: KnownFailure[] = [];
    const undecided: KnownFailure[] = [];
    for (const entry of this.#entries) {
      const drill = drills.find(({ name }) => name === entry.drill);
      const state = drill && stateOf(drill, entry.check);
      if (state === "passes") stale.push(entry);
      else if (state === "unknown") undecided.push(entry);
    }
    return { stale, undecided };
  }

  #knownAs(drill: string, check: string): { readonly known?: string } {
    const entry = this.#entries.find((each) => each.drill === drill && each.check === check);
    return entry === undefined ? {} : { known: entry.reason };
  }
}

/** What is to be done about an entry that is stale. */
export function staleText({ drill, check, place }: KnownFailure): string {
  return `${place}: ${drill} no longer fails ${check}. Remove the entry, so that the baseline stays true.`;
}

/** @returns undefined for what this exam did not look at */
function stateOf(
  { verdict, checks, problems = [] }: DrillReport,
  subject: string,
): "fails" | "passes" | "unknown" | undefined {
  if (problems.some(({ about }) => about === subject)) return "fails";
  if (drillSubjects.some((name) => name === subject)) return verdict === "not-exercised" ? "unknown" : "passes";
  switch (checks.find(({ id }) => id === subject)?.verdict) {
    case "fail":
      return "fails";
    case "pass":
      return "passes";
    case "not-exercised":
      return "unknown";
    default:
      return undefined;
  }
}
