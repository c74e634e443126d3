import type { IncomingMessage } from "node:http";
import type { Passage } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import type { Connection } from "./connection.js";

/** The codes of answers that are given without the application. Each is an error code of the service's table. */
export type ProtocolCode =
  | "BAD_REQUEST"
  | "REQUEST_TIMEOUT"
  | "PAYLOAD_TOO_LARGE"
  | "EXPECTATION_FAILED"
  | "REQUEST_HEADER_FIELDS_TOO_LARGE"
  | "INTERNAL_SERVER_ERROR";

/** What is wrong with a request, for its client. */
export interface RequestProblem {
  readonly code: ProtocolCode;
  /** One sentence that may be told to the client. */
  readonly reason: string;
}

/** What is wrong with something that never reached the application, or what went wrong in it. */
export interface ProtocolProblem extends RequestProblem {
  /** Absent for plain HTTP. */
  readonly peer?: Peer;
  /** Absent for plain HTTP. */
  readonly connection?: Connection;
  /** The request, where there is one. */
  readonly incoming?: IncomingMessage;
  /** The error behind it. Never for the client. */
  readonly cause?: unknown;
}

/** Told once whether an answer was handed to the network as a whole. */
export interface DeliveryListener {
  closed(delivered: boolean, passage?: Passage): void;
}

/** What the client is told. `Content-Length`, `Date` and `Connection` are added to the headers where it is written. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly delivery?: DeliveryListener;
}

/** Makes the answer to a problem. */
export type AnswerProblem = (problem: ProtocolProblem) => ProtocolAnswer;

const FALLBACK_STATUS: Readonly<Record<ProtocolCode, number>> = {
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  EXPECTATION_FAILED: 417,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
};

/** Makes one that never throws: where what reports a failure fails itself, the client still gets the least that is an error object. */
export function neverFailing(answer: AnswerProblem): AnswerProblem {
  return (problem) => {
    try {
      return answer(problem);
    } catch {
      return {
        status: FALLBACK_STATUS[problem.code],
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ message: "The request could not be answered.", code: problem.code }),
      };
    }
  };
}
