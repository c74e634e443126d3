import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../correct-client.js";
import { both, discouraged, on, onPing, payments, type Rule, type Wrong, type WrongClient } from "./wrong-client.js";

/** Does not wait as long as Retry-After says. */
export const hasty: Wrong = (Base) =>
  class extends Base {
    override pause(attempt: number): Promise<void> {
      return super.pause(attempt, undefined);
    }
  };

/** Waits two seconds at most, whatever Retry-After says. */
const capped: Wrong = (Base) =>
  class extends Base {
    override async pause(attempt: number, answer: Answer | undefined): Promise<void> {
      const seconds = Number(answer?.headers["retry-after"] ?? 0);
      if (seconds > 2) await sleep(2000);
      else await super.pause(attempt, answer);
    }
  };

/** Repeats a failed request many times, after a pause in milliseconds. */
const repeating =
  (most: number, pause: (attempt: number) => number): Wrong =>
  (Base) =>
    class extends Base {
      override mostAttempts(): number {
        return most;
      }

      override pause(attempt: number): Promise<void> {
        return sleep(pause(attempt));
      }
    };

/** The pauses become longer, to half a second. */
const withoutLimit = repeating(14, (attempt) => Math.min(100 * 2 ** attempt, 500));

/** Repeats requests that were refused permanently. */
const persisting: Wrong = (Base) =>
  class extends Base {
    override isTransient(answer: Answer): boolean {
      return super.isTransient(answer) || [400, 403, 404, 405].includes(answer.status);
    }
  };

/** Requests a token eight times, although each request is refused. */
const insistent: Wrong = (Base) =>
  class extends Base {
    override async postForm(): Promise<Answer> {
      for (let attempt = 1; ; attempt++) {
        const answer = await super.postForm();
        if (answer.status !== 400 || attempt === 8) return answer;
        await sleep(20);
      }
    }
  };

/** Goes on with other requests while one of them has to wait, each after a pause, and gives that one up. */
const goingOn =
  (pause: number): Wrong =>
  (Base) =>
    class extends discouraged(Base) {
      override async run(): Promise<void> {
        await super.run();
        const token = await this.token();
        for (const query of ["", "?pageSize=2", "?pageSize=3", "?pageSize=4"]) {
          await sleep(pause);
          await this.authorised(`${payments}${query}`, token);
        }
      }
    };

const told = (code: "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS", seconds: number): Rule["then"] => ({
  error: { code, headers: { "Retry-After": `${seconds}` } },
});
const dated = { status: 503, headers: { "Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT" }, body: "later" };

/** Clients that repeat what failed in a wrong way, or not at all. */
export const wrongRetries: readonly WrongClient[] = [
  {
    fails: "retry.after",
    how: "does not wait",
    over: both,
    inExam: true,
    level: "must",
    scenario: on({ page: 2 }, told("SERVICE_UNAVAILABLE", 30), 1),
    wrong: hasty,
  },
  {
    fails: "retry.after",
    how: "waits two seconds at most",
    over: both,
    inExam: true,
    level: "must",
    scenario: on({ page: 2 }, told("SERVICE_UNAVAILABLE", 5), 1),
    wrong: capped,
  },
  { fails: "retry.after", how: "before a date", scenario: onPing({ respond: dated }, 2), wrong: hasty },
  {
    fails: "retry.after",
    how: "does not wait, and its calls are not known",
    over: both,
    level: "should",
    scenario: onPing(told("SERVICE_UNAVAILABLE", 30), 2),
    wrong: hasty,
  },
  ...([{ error: "INTERNAL_SERVER_ERROR" }, { connection: "reset" }] as const).flatMap((then): WrongClient[] => [
    {
      fails: "retry.recovers",
      how: `gives up at once after ${JSON.stringify(then)}`,
      over: both,
      scenario: onPing(then, 1),
      wrong: discouraged,
    },
    {
      fails: "retry.bounded",
      how: `without limit, after ${JSON.stringify(then)}`,
      waits: true,
      scenario: onPing(then, 13),
      wrong: withoutLimit,
    },
  ]),
  {
    fails: "retry.bounded",
    how: "fifteen times after equal pauses",
    over: both,
    waits: true,
    inExam: true,
    level: "must",
    scenario: on({ page: 2 }, { error: "INTERNAL_SERVER_ERROR" }),
    wrong: repeating(16, () => 310),
  },
  {
    fails: "retry.permanent",
    how: "after 403",
    over: both,
    inExam: true,
    level: "must",
    scenario: onPing({ error: "FORBIDDEN" }),
    wrong: persisting,
  },
  ...(["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"] as const).map(
    (error): WrongClient => ({
      fails: "retry.permanent",
      how: `after ${error}, and its calls are not known`,
      level: "should",
      scenario: onPing({ error }, 3),
      wrong: persisting,
    }),
  ),
  {
    fails: "retry.permanent",
    how: "requests a token eight times",
    over: both,
    inExam: true,
    level: "should",
    scenario: on({ operation: "token" }, { error: "INVALID_CLIENT" }),
    wrong: insistent,
  },
  {
    fails: "retry.others",
    how: "goes on at once",
    over: both,
    inExam: true,
    level: "should",
    scenario: onPing(told("TOO_MANY_REQUESTS", 30), 1),
    wrong: goingOn(0),
  },
  {
    fails: "retry.others",
    how: "goes on slowly",
    over: both,
    scenario: onPing(told("SERVICE_UNAVAILABLE", 60), 1),
    wrong: goingOn(150),
  },
];
