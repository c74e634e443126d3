import type { RequestOptions } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, CorrectClient, Token } from "./correct-client.js";

type ClientClass = typeof CorrectClient;

const walkCodes = ["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"];

/** Clients that are careless about one thing, over any version of HTTP. */
export function carelessClients(Base: ClientClass) {
  return {
    correct: Base,
    /** Waits two seconds at most, whatever Retry-After says. */
    capped: class extends Base {
      override async pause(attempt: number, answer: Answer | undefined): Promise<void> {
        const seconds = Number(answer?.headers["retry-after"] ?? 0);
        if (seconds > 2) await sleep(2000);
        else await super.pause(attempt, answer);
      }
    },
    /** Does not wait as long as Retry-After says. */
    hasty: class extends Base {
      override pause(attempt: number): Promise<void> {
        return super.pause(attempt, undefined);
      }
    },
    /** Sends a refused token once more. */
    stubborn: class extends Base {
      override async authorised(path: string, token: Token, method?: string): Promise<Answer> {
        const answer = await super.authorised(path, token, method);
        return answer.status === 401 ? super.authorised(path, token, method) : answer;
      }
    },
    /** Sends a refused token to the token endpoint. */
    bearing: class extends Base {
      #refused: string | undefined;

      override refused(token: Token): void {
        this.#refused = token.value;
        super.refused(token);
      }

      override post(body: string, options: RequestOptions = {}): Promise<Answer> {
        const headers = this.#refused === undefined ? {} : { Authorization: `Bearer ${this.#refused}` };
        return super.post(body, { ...options, headers });
      }
    },
    /** Requests a token more often than it has calls, although each request is refused. */
    insistent: class extends Base {
      override async postForm(): Promise<Answer> {
        for (let attempt = 1; ; attempt++) {
          const answer = await super.postForm();
          if (answer.status !== 400 || attempt === 8) return answer;
          await sleep(20);
        }
      }
    },
    /** Sends a refused cursor once more. */
    circling: class extends Base {
      override page(...given: Parameters<CorrectClient["page"]>) {
        return super.page(...given).catch((error: Error) => {
          if (!walkCodes.some((code) => error.message.includes(code))) throw error;
          return super.page(...given);
        });
      }
    },
    /** Repeats what was refused permanently. */
    persistent: class extends Base {
      override isTransient(answer: Answer): boolean {
        return super.isTransient(answer) || [400, 403, 404].includes(answer.status);
      }
    },
    /** Repeats a failed request sixty times, after equal pauses. */
    endless: class extends Base {
      override mostAttempts(): number {
        return 60;
      }

      override pause(): Promise<void> {
        return sleep(110);
      }
    },
    /** Repeats a failed request up to fifteen times, each time after a longer pause. */
    patient: class extends Base {
      override mostAttempts(): number {
        return 15;
      }

      override pause(attempt: number, answer: Answer | undefined): Promise<void> {
        if (answer?.headers["retry-after"] !== undefined) return super.pause(attempt, answer);
        return sleep(100 * 1.3 ** (attempt - 1) * (0.5 + Math.random()));
      }
    },
    /** Goes on with other requests at once while one of them has to wait, and gives that one up. */
    rushing: class extends Base {
      override async send(options: RequestOptions, body?: string): Promise<Answer> {
        const answer = await super.send(options, body);
        if (answer.status !== 429 && answer.status !== 503) return answer;
        for (const size of [2, 3, 4]) {
          const path = `/v1/payments?pageSize=${size}`;
          await super.send({ path, headers: options.headers });
        }
        return answer;
      }
    },
  } as const;
}
