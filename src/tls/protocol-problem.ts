import type { IncomingMessage } from "node:http";
import type { Connection } from "./connection.js";
import type { ProtocolAnswer } from "./raw-answer.js";

/** The codes of answers that are given without the application, with their usual status. Each is an error code of the service's table. */
const statuses = {
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  EXPECTATION_FAILED: 417,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
} as const;

/** @internal exported for the test that compares them with the OpenAPI document */
export type ProtocolCode = keyof typeof statuses;

/** What is wrong with a request. */
export interface RequestProblem {
  readonly code: ProtocolCode;
  /** One sentence that may be told to the client. */
  readonly reason: string;
}

export function badRequest(reason: string): RequestProblem {
  return { code: "BAD_REQUEST", reason };
}

/** Something that the application did not answer, because it never got there or because the application failed. */
export interface UnansweredRequest extends RequestProblem {
  /** Absent for plain HTTP. */
  readonly connection?: Connection;
  /** Absent where no request could be read. */
  readonly incoming?: IncomingMessage | undefined;
  /** The application's error. Never for the client. */
  readonly cause?: unknown;
}

export type AnswerProblem = (problem: UnansweredRequest) => ProtocolAnswer;

/** One that never throws: when the given one fails, the client gets a minimal error object. */
export function neverFailing(answer: AnswerProblem): AnswerProblem {
  return (problem) => {
    try {
      return answer(problem);
    } catch {
      return {
        status: statuses[problem.code],
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ message: "The request could not be answered.", code: problem.code }),
      };
    }
  };
}
