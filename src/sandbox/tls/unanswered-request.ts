import type { Http2ErrorCode } from "../connection/http2-error.js";
import type { UnprocessedReason } from "../connection/passage.js";
import type { ProtocolAnswer } from "../connection/raw-answer.js";
import { errorFacts } from "../errors.js";
import type { Connection } from "./connection.js";
import type { RequestProblem } from "./protocol-problem.js";

/** What is known about a request that was read. */
interface ReceivedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/** A request that was read, and is not processed. */
export interface UnprocessedRequest {
  readonly connection: Connection;
  readonly incoming: ReceivedRequest;
  readonly reason: UnprocessedReason;
  /** The stream of HTTP/2 that the request came on. */
  readonly stream?: number | undefined;
  /** The code of the RST_STREAM that ended the stream, whoever sent it. */
  readonly reset?: Http2ErrorCode | undefined;
}

/** What the application did not answer: it never reached the application, or the application failed. */
export interface UnansweredRequest extends RequestProblem {
  /** Absent for plain HTTP. */
  readonly connection?: Connection;
  /** Absent if no request could be read. */
  readonly incoming?: ReceivedRequest | undefined;
  /** The stream of HTTP/2 that the request came on. */
  readonly stream?: number | undefined;
  /** The application's error. Never sent to the client. */
  readonly cause?: unknown;
}

export type AnswerProblem = (problem: UnansweredRequest) => ProtocolAnswer;

/** Makes a function that never throws: if the given one fails, the client gets a minimal error object. */
export function neverFailing(answer: AnswerProblem): AnswerProblem {
  return (problem) => {
    try {
      return answer(problem);
    } catch {
      return {
        status: errorFacts(problem.code).status,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ message: "The request could not be answered.", code: problem.code }),
      };
    }
  };
}
