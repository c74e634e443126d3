import type { ReadAnswer } from "./messages.js";
import type { Reply } from "./pool.js";
import { type Request, Worker } from "./worker.js";
import {
  all,
  alone,
  bounded,
  type Facts,
  nearby,
  onOneConnection,
  quick,
  type WrongClient,
  withFault,
  withTask,
} from "./wrong-client.js";

const ping = withTask({ kind: "ping" });
const usualPings = ({ usual }: Facts) => usual("GET /v1/ping");

/** A worker that repeats a failed ping so many times, after the same short pause each time. */
export function repeating(times: (facts: Facts) => number, pause: number) {
  return (facts: Facts) => {
    const most = times(facts);
    return class extends Worker {
      override mayRetry(...given: Parameters<Worker["mayRetry"]>): boolean {
        const [reply, , request] = given;
        if (!isFailedPing(reply, request) || facts.steps >= most) return super.mayRetry(...given);
        facts.steps += 1;
        return true;
      }

      override waitBefore(...given: Parameters<Worker["waitBefore"]>): number {
        const [reply, , request] = given;
        return isFailedPing(reply, request) ? pause : super.waitBefore(...given);
      }

      override isTransient(answer: ReadAnswer, request: Request): boolean {
        return super.isTransient(answer, request) || (request.operation === "ping" && answer.status === 403);
      }
    };
  };
}

function isFailedPing(reply: Reply, { operation }: Request): boolean {
  return operation === "ping" && reply.kind === "answer";
}

/** So many answers may have been given up by their client before it could read them. */
const mostUnread = 16;

/** More repetitions of one call fail `retry.bounded` as well. */
const mostInRow = 9;

const forPings = { operation: "ping" } as const;
const maintenance = { kind: "error", status: 503, code: "SERVICE_UNAVAILABLE", retryAfter: 30 } as const;
const failing = { kind: "error", status: 500, code: "INTERNAL_SERVER_ERROR" } as const;

/** Clients that repeat what failed in a wrong way. */
export const wrongRetries: readonly WrongClient[] = [
  {
    fails: "retry.after",
    how: "does not wait as long as Retry-After says",
    meets: all(ping, onOneConnection, bounded, withFault(maintenance, forPings)),
    worker: repeating((facts) => Math.min(usualPings(facts) + 3, mostInRow), 150),
    enough: (facts) => usualPings(facts) + 3,
  },
  {
    fails: "retry.bounded",
    how: "repeats a failed request without end",
    meets: all(ping, quick, withFault(failing, forPings)),
    worker: repeating((facts) => 11 * usualPings(facts) + 1, 300),
    enough: (facts) => 11 * usualPings(facts) + 1,
  },
  {
    fails: "retry.permanent",
    how: "repeats a request that was refused with 403",
    meets: all(ping, withFault({ kind: "error", status: 403, code: "FORBIDDEN" }, forPings)),
    worker: repeating((facts) => 2 * usualPings(facts) + mostUnread + 1, 150),
    enough: (facts) => 2 * usualPings(facts) + mostUnread + 1,
  },
  {
    fails: "retry.paced",
    how: "repeats a failed request at once",
    meets: all(ping, quick, alone, nearby, bounded, withFault(failing, forPings)),
    worker: repeating(() => 6, 0),
    enough: () => 6,
  },
];
