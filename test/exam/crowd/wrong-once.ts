import type { ReadAnswer, SentRequest } from "./messages.js";
import type { Token } from "./program.js";
import { type Outcome, type Request, unchanged, Worker } from "./worker.js";
import type { Steps } from "./world.js";
import {
  all,
  alone,
  calm,
  longList,
  nearby,
  onOneConnection,
  overHttp2,
  ownWalk,
  quick,
  type WrongClient,
  walkTask,
  withFault,
  withTask,
} from "./wrong-client.js";

const ownPage = { walk: ownWalk, page: 2 } as const;
const walk = all(withTask(walkTask), longList);
const told = (seconds: number) =>
  ({ kind: "error", status: 503, code: "SERVICE_UNAVAILABLE", retryAfter: seconds }) as const;
const invalidClient = { kind: "error", status: 400, code: "INVALID_CLIENT" } as const;

type Making = WrongClient["worker"];

/** Waits two seconds at most, whatever Retry-After says. */
const capped: Making = (facts) =>
  class extends Worker {
    override mayRetry(...given: Parameters<Worker["mayRetry"]>): boolean {
      const [reply] = given;
      return (reply.kind === "answer" && reply.answer.retryAfter !== undefined) || super.mayRetry(...given);
    }

    override waitBefore(...given: Parameters<Worker["waitBefore"]>): number {
      const [reply] = given;
      if (reply.kind !== "answer" || (reply.answer.retryAfter ?? 0) <= 2) return super.waitBefore(...given);
      facts.steps += 1;
      return 2000;
    }
  };

/** Sends a request of its walk once more after an answer with a code. */
const again =
  (code: string): Making =>
  (facts) =>
    class extends Worker {
      override *exchange(request: SentRequest) {
        const reply = yield* super.exchange(request);
        const isWrong = request.walk?.cursor !== undefined && reply.kind === "answer" && reply.answer.code === code;
        if (!isWrong) return reply;
        facts.steps += 1;
        return yield* super.exchange(request);
      }
    };

/** Sends a refused token with its next token request. */
const bearing: Making = (facts) =>
  class extends Worker {
    #refused: string | undefined;

    override refused(token: Token): void {
      this.#refused = token.value;
      super.refused(token);
    }

    override tokenRequest(): Request {
      const request = super.tokenRequest();
      if (this.#refused === undefined) return request;
      facts.steps += 1;
      const token: Pick<SentRequest, "token"> = { token: this.#refused };
      return { ...request, ...token };
    }
  };

/** Requests a token five times although each request is refused. */
const insistent: Making = (facts) =>
  class extends Worker {
    override *requestToken(): Steps<Token | undefined> {
      for (let attempt = 1; attempt < 5; attempt++) {
        yield* this.persist(this.tokenRequest(), undefined, () => unchanged(this.tokenRequest()));
        facts.steps += 1;
        yield* this.program.machine.sleep(20);
      }
      return yield* super.requestToken();
    }
  };

/** Goes on with three requests at once while one of them has to wait. */
const rushing: Making = (facts) =>
  class extends Worker {
    override *call(request: Request): Steps<Outcome> {
      const answer = yield* super.call(request);
      if (request.operation !== "ping") return answer;
      for (const pageSize of [2, 3, 4])
        yield* super.call(
          this.pageRequest({ ...walkTask, kind: "walk", pageSize, list: "payments", filters: "", upTo: 1 }, undefined),
        );
      facts.steps += 1;
      return answer;
    }

    override isTransient(answer: ReadAnswer, request: Request): boolean {
      return request.operation !== "ping" && super.isTransient(answer, request);
    }
  };

/** Repeats a failed page fifteen times, after equal pauses. */
const steady: Making = (facts) =>
  class extends Worker {
    override mayRetry(...given: Parameters<Worker["mayRetry"]>): boolean {
      const [reply, attempt, { walk: sent }] = given;
      if (reply.kind !== "answer" || sent?.cursor === undefined) return super.mayRetry(...given);
      if (attempt > 15) return false;
      facts.steps += 1;
      return true;
    }

    override waitBefore(...given: Parameters<Worker["waitBefore"]>): number {
      return given[2].walk?.cursor === undefined ? super.waitBefore(...given) : 300;
    }
  };

const revoked = withFault({ kind: "revoke" }, { ...ownPage, limit: 1 });
const failing = withFault({ kind: "error", status: 500, code: "INTERNAL_SERVER_ERROR" }, ownPage);

const variants = [
  { version: "HTTP/1.1", over: all(alone, onOneConnection) },
  { version: "HTTP/2", over: overHttp2 },
];

/** Clients that send one request too many, over each version of HTTP: one proves it. */
export const wrongOnce: readonly WrongClient[] = variants.flatMap(({ version, over }): readonly WrongClient[] => [
  {
    fails: "retry.after",
    level: "must",
    how: `waits two seconds at most, over ${version}`,
    meets: all(walk, over, withFault(told(5), { ...ownPage, limit: 1 })),
    worker: capped,
  },
  {
    fails: "token.refused",
    level: "must",
    how: `sends a refused token once more, over ${version}`,
    meets: all(walk, over, revoked),
    worker: again("UNAUTHORIZED"),
  },
  {
    fails: "token.refused",
    level: "must",
    how: `sends a refused token to the token endpoint, over ${version}`,
    meets: all(walk, over, revoked),
    worker: bearing,
  },
  {
    fails: "list.restart",
    level: "must",
    how: `sends a refused cursor once more, over ${version}`,
    meets: all(walk, over, withFault({ kind: "error", status: 400, code: "INVALID_CURSOR" }, { ...ownPage, limit: 1 })),
    worker: again("INVALID_CURSOR"),
  },
  {
    fails: "retry.bounded",
    level: "must",
    how: `repeats a failed page fifteen times after equal pauses, over ${version}`,
    meets: all(walk, quick, over, failing),
    worker: steady,
    enough: () => 15,
  },
  {
    fails: "retry.permanent",
    level: "should",
    how: `requests a token five times although each request is refused, over ${version}`,
    meets: all(
      quick,
      over,
      (drawn) => ({ ...drawn, traits: { ...drawn.traits, goesOn: false }, work: [[{ kind: "ping" }, walkTask]] }),
      withFault(invalidClient, { operation: "token" }),
    ),
    worker: insistent,
    enough: () => 4,
  },
  {
    fails: "retry.others",
    level: "should",
    how: `goes on with three requests at once, over ${version}`,
    meets: all(
      quick,
      nearby,
      over,
      calm,
      (drawn) => ({ ...drawn, work: [[{ kind: "ping" }]] }),
      withFault(told(30), { operation: "ping" }),
    ),
    worker: rushing,
  },
]);
