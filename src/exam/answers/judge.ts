import { counted } from "../../base/text/numbers.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import { checkFacts } from "../checks.js";
import type { CheckResult, Verdict } from "../report.js";
import { deliveriesOf, type FinishedWalk, type ListDeliveries, type ReadList } from "./deliveries.js";
import { bestOf, type Difference, differenceOf, matchWalks, sizeOf } from "./match.js";
import { type AnswerCheckId, type AnswerSheet, named, type WalkAnswer } from "./sheet.js";

/** What an answer sheet is compared with. */
export interface Delivered {
  readonly lists: readonly ReadList[];
  /** The exchanges of the journal, oldest first. */
  readonly entries: readonly JournalEntry<Exchange>[];
  /** Whether the journal has every exchange since the start. */
  readonly isComplete: boolean;
}

/** The verdict on one line. */
interface Judged {
  readonly verdict: Verdict;
  /** One sentence. Empty for a line that is right. */
  readonly message: string;
  readonly exchanges: readonly number[];
}

/** Most exchanges that are named as evidence. */
const mostEvidence = 10;

/** The format of the sheet, for lines that cannot be read. */
const format =
  'Write one JSON object on each line, in UTF-8: {"list":"payments","ids":["…"]} for a finished walk, {"error":{"operation":"ping","code":"…"}} for an error that was reported.';

/**
 * Compares what a client says that it understood with what was delivered to it.
 * @returns the results of `answers.rows` and `answers.code`
 */
export function judgeAnswers(sheet: AnswerSheet, delivered: Delivered): readonly CheckResult[] {
  return [
    resultOf("answers.rows", sheet, () => judgeWalks(sheet.walks, delivered)),
    resultOf("answers.code", sheet, () => judgeErrors(sheet, delivered)),
  ];
}

/** A line that cannot be read fails the check: a sheet that says nothing would pass unnoticed. */
function resultOf(id: AnswerCheckId, { problems }: AnswerSheet, judge: () => readonly Judged[]): CheckResult {
  const { level, source, fix, exercisedBy } = checkFacts(id);
  const base = { id, level, source, fix, exchanges: [], handshakes: [] } as const;
  const unreadable = problems.filter(({ about }) => about === id);
  const lines = judge();
  const [failed, ...others] = lines.filter(({ verdict }) => verdict === "fail");
  if (failed !== undefined) {
    const more = others.length + unreadable.length;
    const message = more === 0 ? failed.message : `${failed.message} ${counted(more, "other line")} failed as well.`;
    return { ...base, verdict: "fail", message, exchanges: evidence([failed]) };
  }
  if (unreadable.length > 0)
    return { ...base, verdict: "fail", message: unreadable.map(({ message }) => message).join(" "), fix: format };
  const passed = lines.filter(({ verdict }) => verdict === "pass");
  const [skipped] = lines.filter(({ verdict }) => verdict === "not-exercised");
  const said = skipped === undefined ? "" : ` ${skipped.message}`;
  if (passed.length === 0)
    return { ...base, verdict: "not-exercised", message: said.trim() || `Not exercised: it takes ${exercisedBy}.` };
  const message = `${counted(passed.length, "line")} of the answer sheet ${passed.length === 1 ? "is" : "are"} right.${said}`;
  return { ...base, verdict: "pass", message, exchanges: evidence(passed) };
}

function evidence(lines: readonly Judged[]): readonly string[] {
  const ids = new Set(lines.flatMap(({ exchanges }) => exchanges));
  return [...ids]
    .sort((a, b) => a - b)
    .slice(0, mostEvidence)
    .map(String);
}

function judgeWalks(walks: readonly WalkAnswer[], delivered: Delivered): readonly Judged[] {
  const names = new Set(walks.map(({ list }) => list));
  return delivered.lists
    .filter(({ name }) => names.has(name))
    .flatMap((list) => {
      const found = deliveriesOf(list, delivered.entries);
      const answers = walks.filter((walk) => walk.list === list.name);
      return matchWalks(answers, found.finished).map(({ answer, walk }) =>
        walk === undefined ? judgeSpare(answer, found, delivered) : judgeWalk(answer, walk, delivered),
      );
    });
}

const right = { verdict: "pass", message: "" } as const;

function judgeWalk(answer: WalkAnswer, walk: FinishedWalk, { isComplete }: Delivered): Judged {
  const exchanges = walk.pages;
  const difference = differenceOf(answer, walk);
  if (difference === undefined) return notJudged(answer, isComplete);
  if (sizeOf(difference) === 0) return { ...right, exchanges };
  // The walk that the line means may be gone.
  if (!isComplete) return notJudged(answer, isComplete);
  const message = `Line ${answer.line} of the answer sheet does not fit the walk of ${answer.list} that was delivered: ${differenceText(difference, walk)}.`;
  return { verdict: "fail", message, exchanges };
}

/** A line for which there is no walk: it may repeat another one. */
function judgeSpare(answer: WalkAnswer, found: ListDeliveries, { isComplete }: Delivered): Judged {
  const { finished, pages, ids, isReadable } = found;
  const repeated = bestOf(answer, finished);
  if (repeated !== undefined && sizeOf(differenceOf(answer, repeated)) === 0)
    return { ...right, exchanges: repeated.pages };
  if (!isComplete || !isReadable) return notJudged(answer, isComplete);
  const rows = pages.length === 0 ? "no page of it" : `only ${counted(ids.size, "row")}, and no last page,`;
  const message =
    finished.length === 0
      ? `Line ${answer.line} of the answer sheet reports a finished walk of ${answer.list}, but ${rows} was delivered.`
      : `Line ${answer.line} of the answer sheet reports a walk of ${answer.list} that was not finished: ${counted(finished.length, "walk")} of it reached the last page, and the other lines report ${finished.length === 1 ? "that one" : "these"}.`;
  return { verdict: "fail", message, exchanges: pages };
}

function notJudged({ line, list }: WalkAnswer, isComplete: boolean): Judged {
  const reason = isComplete
    ? "the journal does not keep pages of that length, or their rows have no id"
    : "some of its pages are no longer in the journal; journal.requests in sandbox.yaml keeps more";
  const message = `Line ${line} of the answer sheet was not judged: it reports a walk of ${list}, and ${reason}.`;
  return { verdict: "not-exercised", message, exchanges: [] };
}

function differenceText({ missing, twice, foreign }: Difference, { required }: FinishedWalk): string {
  const parts = [
    missing.length > 0 && `${missing.length} of ${counted(required?.size ?? 0, "row")} missing${first(missing)}`,
    twice.length > 0 && `${counted(twice.length, "row")} listed twice${first(twice)}`,
    foreign.length > 0 && `${counted(foreign.length, "row")} never delivered in it${first(foreign)}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function first([id = ""]: readonly string[]): string {
  return ` (first ${named(id)})`;
}

function judgeErrors({ errors }: AnswerSheet, { entries, isComplete }: Delivered): readonly Judged[] {
  const codes = errors.length === 0 ? new Map<string, Codes>() : codesIn(entries);
  return errors.map(({ line, operation, code }): Judged => {
    // A request may have failed because its token request did.
    const ofOperation: Codes = new Map([...(codes.get("token") ?? []), ...(codes.get(operation) ?? [])]);
    const exchanges = ofOperation.get(code);
    if (exchanges !== undefined) return { ...right, exchanges };
    if (!isComplete) {
      const message = `Line ${line} of the answer sheet was not judged: some requests are no longer in the journal; journal.requests in sandbox.yaml keeps more.`;
      return { verdict: "not-exercised", message, exchanges: [] };
    }
    const others = [...(codes.get(operation)?.keys() ?? [])];
    const got = others.length === 0 ? "no error with a code" : others.join(", ");
    const message = `Line ${line} of the answer sheet reports ${named(code)} for ${operation}, but ${got} was delivered.`;
    return { verdict: "fail", message, exchanges: [...ofOperation.values()].flat() };
  });
}

/** The numbers of the exchanges with a code, by the code. */
type Codes = Map<string, number[]>;

/**
 * The codes that were delivered, by operation and by list. A list with the name of an operation is not distinguished.
 */
function codesIn(entries: Delivered["entries"]): ReadonlyMap<string, Codes> {
  const found = new Map<string, Codes>();
  for (const { number, item } of entries) {
    const { operation, list, code, delivered, method } = item;
    if (operation === undefined || code === undefined || delivered !== true || method === "HEAD") continue;
    for (const name of list === undefined ? [operation] : [operation, list]) {
      const codes: Codes = found.get(name) ?? new Map();
      found.set(name, codes.set(code, [...(codes.get(code) ?? []), number].slice(0, mostEvidence)));
    }
  }
  return found;
}
