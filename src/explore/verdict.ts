import { enumerated } from "../base/text/enumerated.js";
import { counted } from "../base/text/numbers.js";
import { type CheckId, checkFacts } from "../exam/checks.js";
import type { CheckResult } from "../exam/report.js";
import { type Deliveries, isWhole, missing } from "./deliveries.js";
import type { Verdict } from "./report.js";

/** What was seen of one run with a fault. */
export interface CellFacts {
  /** Whether the fault acted. */
  readonly acted: boolean;
  /** What identifies the deliveries of the request that it disturbed. */
  readonly key: string;
  readonly point: { readonly operation: string; readonly list?: string | undefined };
  /** Whether a client that tries again comes through; otherwise to report an error is right. */
  readonly passes: boolean;
  /** Whether rows are changed in a way that only the answer sheet shows. */
  readonly needsSheet: boolean;
  /** The signal that ended the command and was not sent by us, as far as a shell or npm tells it. */
  readonly crash: string | undefined;
  /** Why the command had to be ended. */
  readonly endedFor: "hung" | "busy" | undefined;
  readonly exitStatus: number;
  readonly deliveries: Deliveries;
  readonly references: readonly Deliveries[];
  /** With those of the answer sheet. */
  readonly checks: readonly CheckResult[];
  /** Checks that failed in a reference. */
  readonly usualFailures: ReadonlySet<string>;
  /** Operations and lists with an error on the answer sheet. */
  readonly reported: ReadonlySet<string>;
  readonly hasSheet: boolean;
}

/** What a cell says. */
export interface CellVerdict {
  readonly verdict: Verdict;
  /** One sentence, in words about the client. */
  readonly message: string;
  /** One sentence; empty if nothing is to be changed. */
  readonly fix: string;
  readonly checks: readonly CheckId[];
}

const none = { checks: [] as readonly CheckId[] };

/** The verdict on a cell: the first that holds, in the order of the contract (docs/guide/explore.md). */
export function verdictOf(facts: CellFacts): CellVerdict {
  const { acted, crash, endedFor, exitStatus, passes } = facts;
  if (!acted)
    return said(
      "not-reached",
      endedFor === undefined
        ? "The command never sent the request that the fault disturbs."
        : "The command was ended before it sent the request that the fault disturbs: it was silent, or busy, for longer than --timeout allows.",
    );
  if (crash !== undefined)
    return {
      ...none,
      verdict: "crashed",
      message: `The command was ended by ${crash}.`,
      fix: "Catch the failure where it happens: an answer of the network must not end the process.",
    };
  if (endedFor === "hung")
    return {
      ...none,
      verdict: "hung",
      message: "The command waited for longer than --timeout allows: it neither gave the request up nor ended.",
      fix: "Give every request a time limit, for the whole answer and not only for its beginning.",
    };
  if (endedFor === "busy")
    return misbehaved(facts) ?? said("not-judged", "The command gave up what was held, and was still busy long after.");
  const isSilent = exitStatus === 0 && !hasReported(facts);
  return (
    (isSilent ? wrong(facts) : undefined) ?? misbehaved(facts) ?? (isSilent ? silent(facts) : failed(facts, passes))
  );
}

function said(verdict: Verdict, message: string): CellVerdict {
  return { ...none, verdict, message, fix: "" };
}

function hasReported({ point: { operation, list }, deliveries, references, key, reported }: CellFacts): boolean {
  if (missing(key, deliveries, references) === 0) return false;
  return [operation, list, "token"].some((name) => name !== undefined && reported.has(name));
}

function wrong(facts: CellFacts): CellVerdict | undefined {
  const { key, point, deliveries, references, checks } = facts;
  const sheet = checks.find(({ id, verdict }) => id.startsWith("answers.") && verdict === "fail");
  const lost = missing(key, deliveries, references);
  if (sheet === undefined && lost === 0) return undefined;
  const fix =
    point.list === undefined
      ? "Report the failure to the caller: throw, or return an error; do not go on as if the request had succeeded."
      : "Report the failure to the caller, or read the list to its end: what was read until then is not the whole list.";
  if (sheet !== undefined)
    return {
      verdict: "wrong",
      message: `The command ended with 0, and its answer sheet is wrong. ${sheet.message}`,
      fix,
      checks: [sheet.id],
    };
  const what = point.list === undefined ? counted(lost, "answer") : counted(lost, "walk");
  const message =
    point.list === undefined
      ? `The command ended with 0 although ${what} to ${point.operation} never arrived whole.`
      : `The command ended with 0 although ${what} of ${point.list} never came to its end.`;
  return { ...none, verdict: "wrong", message, fix };
}

function misbehaved({ checks, usualFailures }: CellFacts): CellVerdict | undefined {
  const failures = checks.filter(
    ({ id, level, verdict }) => verdict === "fail" && level === "must" && !usualFailures.has(id),
  );
  const [first] = failures;
  if (first === undefined) return undefined;
  const ids = failures.map(({ id }) => id);
  const others = ids.slice(1);
  const more = others.length === 0 ? "" : ` (also ${enumerated(others, "and")})`;
  return { verdict: "misbehaved", message: `${first.message}${more}`, fix: checkFacts(first.id).fix, checks: ids };
}

/** The command ended with 0, and nothing is missing. */
function silent({ needsSheet, hasSheet, deliveries, references }: CellFacts): CellVerdict {
  if (!isWhole(deliveries, references))
    return said(
      "not-judged",
      "The command ended with 0, and sent fewer requests of another kind than without the fault.",
    );
  if (needsSheet && !hasSheet)
    return said(
      "delivered",
      "Everything was delivered; an answer sheet (SANDBOX_ANSWERS) would tell whether its rows were counted right.",
    );
  return said("recovered", "The command came through: everything was delivered as without the fault.");
}

/** The command told of a failure: by its exit status, or on its answer sheet. */
function failed({ deliveries, references, exitStatus, point, needsSheet }: CellFacts, passes: boolean): CellVerdict {
  if (exitStatus !== 0 && isWhole(deliveries, references))
    return {
      ...none,
      verdict: "failed-after-recovery",
      message: `The command ended with ${exitStatus} although everything was delivered in the end.`,
      fix: needsSheet
        ? "Identify rows by their ids, so that one that comes twice is counted once, and read until there is no cursor, however short a page is."
        : "See the last lines of the command: perhaps a test counts requests, or asserts that nothing is sent twice.",
    };
  if (passes)
    return {
      ...none,
      verdict: "gave-up",
      message: "The command reported a failure that passes: it did not try again, or not until it came through.",
      fix:
        point.operation === "token"
          ? "Request the token again after a failure that passes, a few times, and then report it: that is safe, although it is a POST."
          : "After a failure that passes, repeat a request that only reads, a few times, and then report it.",
    };
  return said("failed-clearly", "The command reported the failure.");
}
