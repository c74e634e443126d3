import { isObject, type JsonObject, jsonIn } from "../../base/text/json-object.js";
import { suggest } from "../../base/text/nearest.js";
import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import { redactText } from "../../sandbox/journal/redact.js";
import { operationNames } from "../../sandbox/operations.js";

/** Largest answer sheet that is read, in bytes. */
export const largestSheet = 16 * 1024 * 1024;

/** Most ids in one sheet, over all of its lines. */
const mostIds = 1_000_000;

/** Most lines that are read. */
const mostLines = 20_000;

/** Most problems that are reported. */
const mostProblems = 10;

/** The two checks that an answer sheet exercises. */
export type AnswerCheckId = "answers.rows" | "answers.code";

/** A walk that the client reports as finished. */
export interface WalkAnswer {
  /** The number of its line, from 1. */
  readonly line: number;
  /** The name of the list. */
  readonly list: string;
  readonly ids: readonly string[];
}

/** An error that the client reports. */
interface ErrorAnswer {
  readonly line: number;
  /** `token`, `ping`, `list`, or the name of a list. */
  readonly operation: string;
  readonly code: string;
}

/** Why a line, or the whole sheet, cannot be read. */
export interface SheetProblem {
  readonly about: AnswerCheckId;
  /** One sentence, safe to print. */
  readonly message: string;
}

/** What a client says that it understood. */
export interface AnswerSheet {
  readonly walks: readonly WalkAnswer[];
  readonly errors: readonly ErrorAnswer[];
  /** The first few. */
  readonly problems: readonly SheetProblem[];
}

/** Why a line cannot be used, as the end of a sentence that begins with its number. */
class LineError extends Error {}

/** The sheet of a client that wrote none, or of one whose file cannot be read. */
export function sheetWithout(...problems: readonly SheetProblem[]): AnswerSheet {
  return { walks: [], errors: [], problems };
}

/**
 * Reads an answer sheet: one JSON object on each line. Empty lines are skipped. Lines that cannot be used are reported
 * with their number; the others are still read.
 * @param lists the names of the lists that the sandbox has
 */
export function parseSheet(text: string, lists: readonly string[]): AnswerSheet {
  const walks: WalkAnswer[] = [];
  const errors: ErrorAnswer[] = [];
  const problems: SheetProblem[] = [];
  const report = (about: AnswerCheckId, message: string) => {
    if (problems.length < mostProblems) problems.push({ about, message });
  };
  let ids = 0;
  for (const { line, content } of linesOf(text)) {
    if (line > mostLines) {
      report("answers.rows", `The answer sheet has more than ${thousands(mostLines)} lines; the others were not read.`);
      break;
    }
    const value = jsonIn(content);
    try {
      if (!isObject(value)) throw new LineError("is not a JSON object");
      if ("error" in value) {
        errors.push({ line, ...errorIn(value, lists) });
        continue;
      }
      const walk = walkIn(value, lists);
      ids += walk.ids.length;
      if (ids > mostIds) throw new LineError(`brings the ids of the sheet to more than ${thousands(mostIds)}`);
      walks.push({ line, ...walk });
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      const about = isObject(value) && "error" in value ? "answers.code" : "answers.rows";
      report(about, `Line ${line} of the answer sheet ${error.message}.`);
      if (ids > mostIds) break;
    }
  }
  return { walks, errors, problems };
}

/** The lines that are not empty, with their numbers. The sheet is not split as a whole: it may have millions. */
function* linesOf(text: string): Generator<{ readonly line: number; readonly content: string }> {
  let line = 0;
  for (let begin = 0; begin < text.length; ) {
    const newline = text.indexOf("\n", begin);
    const end = newline < 0 ? text.length : newline;
    line += 1;
    const content = text.slice(begin, end).trim();
    if (content !== "") yield { line, content };
    begin = end + 1;
  }
}

function errorIn({ error, ...others }: JsonObject, lists: readonly string[]): Pick<ErrorAnswer, "operation" | "code"> {
  if (!isObject(error) || Object.keys(others).length > 0)
    throw new LineError('must be {"error":{"operation":"…","code":"…"}}');
  const { operation, code, ...more } = error;
  if (typeof operation !== "string" || typeof code !== "string" || Object.keys(more).length > 0)
    throw new LineError('must have an operation and a code, both texts: {"error":{"operation":"…","code":"…"}}');
  const known = [...operationNames, ...lists];
  if (!known.includes(operation))
    throw new LineError(`names the operation ${named(operation)}, which does not exist. ${hint(operation, known)}`);
  return { operation, code };
}

function walkIn({ list, ids, ...others }: JsonObject, lists: readonly string[]): Pick<WalkAnswer, "list" | "ids"> {
  if (typeof list !== "string" || !Array.isArray(ids) || Object.keys(others).length > 0)
    throw new LineError('must be {"list":"…","ids":["…"]} or {"error":{"operation":"…","code":"…"}}');
  if (!lists.includes(list))
    throw new LineError(`names the list ${named(list)}, which does not exist. ${hint(list, lists)}`);
  const at = ids.findIndex((id) => typeof id !== "string" && typeof id !== "number");
  if (at >= 0) throw new LineError(`has an id that is neither a text nor a number: the one at place ${at + 1}`);
  return { list, ids: ids.map(String) };
}

/** A text of the sheet, safe to show. */
export function named(text: string): string {
  return quote(redactText(text.slice(0, 200)), 60);
}

/** Without its last full stop: the sentence around it has one. */
function hint(word: string, known: readonly string[]): string {
  return suggest(word, known).replace(/\.$/, "");
}
