import { enumerated } from "../base/text/enumerated.js";
import { counted } from "../base/text/numbers.js";
import { type CheckId, checkFacts } from "../exam/checks.js";
import type { Level } from "../exam/finding.js";
import type { CheckResult } from "../exam/report.js";
import { adviceFor } from "./advice.js";
import type { ExploreFault } from "./faults.js";
import type { Compared, Lost } from "./lost.js";
import type { Repeated } from "./repeated.js";
import type { Verdict } from "./report.js";

/** What was seen of one run with a fault. */
export interface CellFacts {
  /** Whether the fault acted. */
  readonly acted: boolean;
  readonly fault: Pick<ExploreFault, "failure" | "passes" | "always">;
  readonly point: { readonly operation: string; readonly list?: string | undefined };
  /** Whether the answer that the fault changed arrived whole, and was a good one. */
  readonly arrived: boolean;
  /** The signal that ended the command and was not sent by us, as far as a shell or npm tells it. */
  readonly crash: string | undefined;
  /** Why the command had to be ended. */
  readonly endedFor: "hung" | "busy" | "endless" | undefined;
  readonly exitStatus: number;
  readonly compared: Compared;
  /** Undefined if the fault never acted. */
  readonly repeated: Repeated | undefined;
  /** Whether a later request of another kind failed without the fault. */
  readonly stayedBroken: boolean;
  /** With those of the answer sheet. */
  readonly checks: readonly CheckResult[];
  /** Checks that failed in a reference. */
  readonly usualFailures: ReadonlySet<string>;
  /** Operations and lists with more errors on the answer sheet than without a fault. */
  readonly reported: ReadonlySet<string>;
  readonly hasSheet: boolean;
}

/** What a cell says. */
export interface CellVerdict {
  readonly verdict: Verdict;
  /** Of what is lost, or of the check, where the verdict alone does not say it. */
  readonly level?: Level;
  /** One sentence, in words about the client. */
  readonly message: string;
  /** One sentence; empty if nothing is to be changed. */
  readonly fix: string;
  readonly checks: readonly CheckId[];
}

/**
 * Those that say that a request was not sent again: `gave-up` says the same, and where. And new connections: a broken one
 * has to be replaced.
 */
const notJudged: ReadonlySet<string> = new Set(["retry.recovers", "h2.refused-retried", "h2.goaway", "tls.reuse"]);

/** Rows of these can be counted twice, and only the answer sheet shows it. */
const needSheet: ReadonlySet<string> = new Set(["double-row", "short-page"]);

/** The verdict on a cell: the first that holds, in the order of the contract (docs/guide/explore.md). */
export function verdictOf(facts: CellFacts): CellVerdict {
  const { acted, crash, endedFor, exitStatus } = facts;
  if (!acted)
    return said(
      "not-reached",
      endedFor === undefined
        ? "The command never sent the request that the fault disturbs."
        : "The command was ended before it sent the request that the fault disturbs: it was silent, or busy, for longer than --timeout allows.",
    );
  if (crash !== undefined) return advised(facts, "crashed", `The command was ended by ${crash}.`);
  if (endedFor === "hung")
    return advised(
      facts,
      "hung",
      "The command waited for longer than --timeout allows: it neither gave the request up nor ended.",
    );
  if (endedFor !== undefined)
    return misbehaved(facts) ?? said("not-judged", "The command gave up what was held, and was still busy long after.");
  const isSilent = exitStatus === 0 && !hasReported(facts);
  return (isSilent ? wrong(facts) : undefined) ?? misbehaved(facts) ?? (isSilent ? silent(facts) : failed(facts));
}

function said(verdict: Verdict, message: string): CellVerdict {
  return { verdict, message, fix: "", checks: [] };
}

/** A finding, with the advice for this failure. */
function advised({ fault, point: { operation, list } }: CellFacts, verdict: Verdict, message: string): CellVerdict {
  const { text = "" } = adviceFor(fault.failure, verdict, { operation, hasRows: list !== undefined }) ?? {};
  return { verdict, message, fix: text, checks: [] };
}

function hasReported({ point: { operation, list }, compared: { lost }, reported }: CellFacts): boolean {
  if (lost.length === 0) return false;
  const isNamed = (names: readonly (string | undefined)[]) => names.some((name) => name && reported.has(name));
  return isNamed([operation, list, "token"]) || lost.every((each) => isNamed([each.operation, each.list]));
}

function wrong(facts: CellFacts): CellVerdict | undefined {
  const { compared, checks } = facts;
  const sheet = checks.find(({ id, verdict }) => id.startsWith("answers.") && verdict === "fail");
  if (sheet !== undefined) {
    const message = `The command ended with 0, and its answer sheet is wrong. ${sheet.message}`;
    return { ...advised(facts, "wrong", message), level: "must", checks: [sheet.id] };
  }
  if (compared.lost.length === 0) return undefined;
  const isOfRows = compared.lost.some(({ what }) => what === "page" || what === "walk");
  const message = `The command ended with 0 although ${lostText(compared.lost)}.${brokenText(facts)}`;
  return { ...advised(facts, "wrong", message), level: isOfRows ? "must" : "should" };
}

/** `1 walk of payouts never came to its end, and 2 answers to ping never arrived`. */
function lostText(lost: readonly Lost[]): string {
  const sums = new Map<string, number>();
  const add = (text: string, count: number) => sums.set(text, (sums.get(text) ?? 0) + count);
  const walked = new Set(lost.filter(({ what }) => what === "walk").map(({ list }) => list));
  for (const { what, operation, list, count } of lost) {
    if (what === "walk") add(`walk of ${list}`, count);
    // The pages that a walk lacks are not told beside it.
    else if (what === "page" && !walked.has(list)) add(`page of ${list}`, count);
    else if (what === "answer") add(`answer to ${list ?? operation}`, count);
    else if (what === "refusal") add(`refusal by ${list ?? operation}`, count);
  }
  const parts = [...sums].map(([text, count]) => {
    const [noun = "", ...rest] = text.split(" ");
    const ends = noun === "walk" ? "never came to its end" : "never arrived whole";
    return `${counted(count, noun)} ${rest.join(" ")} ${ends}`;
  });
  return enumerated(parts, "and");
}

function brokenText({ stayedBroken }: CellFacts): string {
  return stayedBroken ? " A later request of another kind failed, too: the connection stayed broken." : "";
}

/** They compare several requests. After a failure that was reported, those are of the next tests. */
const ofSeveral: ReadonlySet<string> = new Set(["retry.others", "token.reused", "token.shared"]);

/**
 * Whether a failed check is about this client, and not about its suite. What is only likely, since the calls are not
 * known, may be the requests of other tests.
 */
function isOfClient({ id, level }: CheckResult, { endedFor, exitStatus }: CellFacts): boolean {
  if (notJudged.has(id) || (ofSeveral.has(id) && exitStatus !== 0)) return false;
  return level === checkFacts(id).level || endedFor === "endless";
}

function misbehaved(facts: CellFacts): CellVerdict | undefined {
  const { fault, checks, usualFailures, point, repeated, exitStatus } = facts;
  const failures = checks
    .filter((check) => check.verdict === "fail" && !usualFailures.has(check.id) && isOfClient(check, facts))
    .sort((one, other) => Number(other.level === "must") - Number(one.level === "must"));
  const [first] = failures;
  if (first !== undefined) {
    const ids = failures.map(({ id }) => id);
    const others = ids.slice(1);
    const more = others.length === 0 ? "" : ` (also ${enumerated(others, "and")})`;
    const message = `${first.message}${more}`;
    return { verdict: "misbehaved", level: first.level, message, fix: checkFacts(first.id).fix, checks: ids };
  }
  // Any call may need a token of its own, so the check says nothing there. After a failure it may be another test.
  if (exitStatus === 0 && point.operation === "token" && repeated?.tooSoon !== undefined)
    return {
      verdict: "misbehaved",
      level: "should",
      message: `The token was requested again after ${repeated.tooSoon} ms although Retry-After asked for more.`,
      fix: checkFacts("retry.after").fix,
      checks: ["retry.after"],
    };
  // Under a fault that stays, each test repeats.
  if (!fault.always && repeated?.burst !== undefined)
    return {
      verdict: "misbehaved",
      level: "should",
      message: `After one failure, ${repeated.burst} equal requests were sent at the same time.`,
      fix: "Send one repetition after a failure, and wait for its answer.",
      checks: [],
    };
  return undefined;
}

/** The command ended with 0, and nothing is certainly lost. */
function silent({ fault, hasSheet, compared, repeated }: CellFacts): CellVerdict {
  if (compared.isUnclear)
    return said(
      "not-judged",
      "The command ended with 0 and got fewer answers than without the fault, of equal requests whose number proves nothing: they were open at the same time, or differ from run to run.",
    );
  if (!hasSheet && (needSheet.has(fault.failure) || repeated?.isRestarted))
    return said(
      "delivered",
      "Everything was delivered; an answer sheet (SANDBOX_ANSWERS) would tell whether its rows were counted right.",
    );
  return said("recovered", "The command came through: everything was delivered as without the fault.");
}

/** The command told of a failure: by its exit status, or on its answer sheet. */
function failed(facts: CellFacts): CellVerdict {
  const { fault, compared, repeated, exitStatus, point, arrived } = facts;
  if (!fault.passes) return said("failed-clearly", `The command reported the failure.${brokenText(facts)}`);
  const isWhole = compared.lost.length === 0 && !compared.isUnclear;
  const doubt =
    point.operation === "token"
      ? " A test that only asks for a token, and a next one that asks for it again, look the same."
      : "";
  if (exitStatus !== 0 && isWhole && repeated?.isRepeated) {
    const message = `The command ended with ${exitStatus} although the request was sent again and everything was delivered.${doubt}`;
    return advised(facts, "failed-after-recovery", message);
  }
  const how = exitStatus === 0 ? "reported a failure" : `ended with ${exitStatus}`;
  if (arrived) return advised(facts, "gave-up", `The command ${how} although the answer arrived whole.`);
  const passing = `The command ${how} after a failure that passes`;
  if (repeated?.isUnknown) {
    const message = `${passing}. It was cut short, so it is not known whether the request was sent again: another test sends the same.`;
    return { ...advised(facts, "gave-up", `${message}${brokenText(facts)}`), fix: "" };
  }
  const message = repeated?.isRepeated
    ? `${passing}: it sent the request again, and something was not delivered even so.${doubt}`
    : `${passing}: it did not send the request again.`;
  return advised(facts, "gave-up", `${message}${brokenText(facts)}`);
}
