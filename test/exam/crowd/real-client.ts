import type { Agent, RequestOptions } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type ClientSettings, CorrectClient, type Token } from "../correct-client.js";
import { CorrectHttp2Client } from "../correct-http2-client.js";
import type { Drawn } from "./crowd.js";
import type { Task, Traits } from "./traits.js";

/** Real clients give up not sooner than this, in milliseconds: a test does not depend on the speed of a machine. */
const shortestTimeout = 3000;
const usualTimeout = 5000;
/** Real clients wait no longer than this, in milliseconds, where simulated ones wait for minutes. */
const longestTimeout = 8000;
const longestPause = 2000;

/** The service lists one of these where the simulation has another. */
const filtersOf: Readonly<Record<string, Record<string, string>>> = {
  "status=booked": { status: "PAID" },
  "fromCreatedAt=2026-01-01T00%3A00%3A00Z": { fromCreatedAt: "2026-01-01T00:00:00Z" },
};

/** The files of a certificate, as they were read last. */
export interface Files {
  present(): { readonly cert: string; readonly key: string };
  read(): Promise<void>;
}

/** The driver: a correct client over sockets that has the traits of a drawn one. */
function withTraits(Base: typeof CorrectClient, traits: Traits, files: Files): typeof CorrectClient {
  const { retry, token, correlation } = traits;
  let correlations = 0;
  return class extends Base {
    override agent(): Agent {
      const agent = super.agent();
      agent.maxSockets = traits.connections;
      return agent;
    }

    override async send(options: RequestOptions, body?: string): Promise<Answer> {
      correlations += 1;
      const id = `00000000-0000-4000-8000-${String(correlations).padStart(12, "0")}`;
      const headers = {
        ...options.headers,
        ...(correlation !== "none" && { "X-Correlation-ID": id }),
        ...(!traits.keepAlive && traits.version === 1 && { Connection: "close" }),
      };
      const answer = super.send({ ...options, headers }, body);
      if (traits.version === 1) return answer;
      const stop = new AbortController();
      const late = sleep(this.settings.giveUpAfter, undefined, { signal: stop.signal, ref: false }).then(() => {
        throw new Error("timed out");
      });
      answer.catch(() => {});
      late.catch(() => {});
      return Promise.race([answer, late]).finally(() => stop.abort());
    }

    override async call(...given: Parameters<CorrectClient["call"]>): Promise<Answer> {
      if (traits.certificate.readAt === "time" || traits.certificate.readAt === "connection") await files.read();
      return super.call(...given);
    }

    override async persist(attempt: () => Promise<Answer>): Promise<Answer> {
      const answer = await super.persist(attempt);
      if (answer.status === 401 && traits.certificate.readAt !== "never") await files.read();
      return answer;
    }

    override mostAttempts(): number {
      return retry.most;
    }

    override isTransient(answer: Answer): boolean {
      const told = answer.headers["retry-after"];
      const isDate = told !== undefined && !/^\d+$/.test(told);
      if (told !== undefined && (isDate || Number(told) * 1000 > retry.longestWait)) return false;
      return super.isTransient(answer);
    }

    override async pause(attempt: number, answer: Answer | undefined): Promise<void> {
      if (answer?.headers["retry-after"] !== undefined) await super.pause(attempt, answer);
      else await sleep(Math.min(longestPause, retry.first * retry.factor ** (attempt - 1)));
    }

    override token(): Promise<Token> {
      return token.oneRequest ? super.token() : this.requestToken();
    }

    override isFresh(kept: Token): boolean {
      return token.renewAt === undefined || super.isFresh(kept);
    }

    /** @returns whether everything came through */
    async works(tasks: readonly Task[]): Promise<boolean> {
      let isWell = true;
      const loginBefore = traits.checksLogin === "start" ? 0 : Math.floor(tasks.length / 2);
      for (const [place, task] of tasks.entries()) {
        const checksLogin = traits.checksLogin !== "never" && place === loginBefore;
        const begun = checksLogin ? this.requestToken() : Promise.resolve();
        const done = await begun
          .then(() => this.does(task))
          .then(
            () => true,
            () => false,
          );
        isWell &&= done;
        if (!done && !traits.goesOn) return false;
      }
      return isWell;
    }

    async does(task: Task): Promise<unknown> {
      if (task.kind === "ping") return this.ping();
      if (task.kind === "walk")
        return this.walk(`/v1/${task.list}`, { ...filtersOf[task.filters], pageSize: String(task.pageSize) });
      return this.call("/v1/ping?produceError=true").catch((error: Error) => {
        if (!error.message.includes("EXAMPLE_ERROR")) throw error;
      });
    }
  };
}

interface Working extends CorrectClient {
  works(tasks: readonly Task[]): Promise<boolean>;
}

/**
 * Does the work of a drawn client over sockets.
 * @returns whether everything came through
 */
export async function runReal({ traits, work }: Drawn, files: Files, settings: ClientSettings): Promise<boolean> {
  const Client = withTraits(traits.version === 2 ? CorrectHttp2Client : CorrectClient, traits, files);
  const giveUpAfter = Math.min(longestTimeout, Math.max(shortestTimeout, traits.timeout ?? usualTimeout));
  const made = () => new Client({ ...settings, identity: () => files.present(), giveUpAfter }) as Working;
  const shared = made();
  const clients = work.map(() => (traits.token.shared && !traits.ownPools ? shared : made()));
  try {
    const done = await Promise.all(work.map((tasks, worker) => clients[worker]?.works(tasks)));
    return done.every((each) => each === true);
  } finally {
    for (const client of new Set(clients)) client.close();
  }
}
