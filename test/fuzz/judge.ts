import type { Answer } from "./answers.js";
import type { Input } from "./input.js";

/** The outcome of one input. */
export interface Outcome {
  readonly answers: readonly Answer[];
  /** How many of the owed answers arrived. */
  readonly answered: number;
  /** Why the received bytes are not HTTP; undefined if they are. */
  readonly broken: string | undefined;
  /**
   * `refused`: no TCP connection. `closed`: by the server, or as a consequence of the client's actions. `left`: by the
   * client, when nothing more was owed. `late`: by the client, after a time-out.
   */
  readonly end: "refused" | "closed" | "left" | "late";
  /** The code of the error that ended the connection. */
  readonly error: string | undefined;
}

/** The time limit of an answer or a close, in milliseconds. */
export const patience = 10_000;

/** More than any list of problems needs, in bytes. */
export const longestError = 65_536;

/** The problems of the outcome of an input, one sentence each; empty if there are none. */
export function judge(given: Input, { answers, answered, broken, end, error }: Outcome): string[] {
  if (end === "refused") return [`The connection was refused (${error}).`];
  const problems = answers.flatMap((answer) => judgeAnswer(given, answer));
  if (broken !== undefined && !given.mayBeCorrupt) problems.push(`An answer is not HTTP: ${broken}`);
  // RFC 9112 §9.3.2: after this answer, no further one of the connection is owed.
  const isLast = end === "closed" && error === undefined && answers.at(-1)?.headers["connection"] === "close";
  if (answered < given.owed && !isLast) {
    const count = `${answered} of ${given.owed} answers`;
    problems.push(
      end === "late"
        ? `No answer within ${patience / 1000} s (${count}).`
        : `The connection ended (${error ?? "cleanly"}) after ${count}.`,
    );
  } else if (given.closes && end === "late") {
    problems.push(`The connection was not closed within ${patience / 1000} s.`);
  }
  return problems;
}

function judgeAnswer(given: Input, { status, headers, body }: Answer): string[] {
  // Scenarios may answer anything, with a header that says so.
  if (headers["sandbox-fault"] !== undefined) return [];
  if (given.refused && status < 400) return [`What was altered was accepted (${status}).`];
  if (status < 400) return [];
  const problems: string[] = [];
  if (status === 500) problems.push(`A 500 of its own: ${body.toString("utf8").slice(0, 200)}`);
  if (!given.bodiless && !isErrorObject(body)) {
    problems.push(
      `An answer ${status} without the error object: ${JSON.stringify(body.toString("utf8").slice(0, 100))}`,
    );
  }
  if (body.length > longestError) problems.push(`An error of ${body.length} bytes (${status}).`);
  return problems;
}

/** §2.2 of the interface: `message` and `code`, both texts. */
function isErrorObject(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value !== "object" || value === null || !("message" in value) || !("code" in value)) return false;
    return typeof value.message === "string" && typeof value.code === "string" && value.code !== "";
  } catch {
    return false;
  }
}
