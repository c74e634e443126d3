import { Agent } from "node:https";
import type { CheckId } from "../../../src/exam/checks.js";
import type { Level } from "../../../src/exam/finding.js";
import type { NewClientOptions, ScenarioDefinition } from "../../../src/index.js";
import { CorrectClient, tlsOf } from "../correct-client.js";
import { CorrectHttp2Client } from "../correct-http2-client.js";

/** Makes a client wrong in one thing. */
export type Wrong = (Base: typeof CorrectClient) => typeof CorrectClient;

/** The correct client of each version of HTTP. */
export const correctClients = { "HTTP/1.1": CorrectClient, "HTTP/2": CorrectHttp2Client } as const;

type Version = keyof typeof correctClients;

/** For a mistake that a version of HTTP could hide. */
export const both: readonly Version[] = ["HTTP/1.1", "HTTP/2"];

/** A client that is wrong in one thing, and the check that finds it. */
export interface WrongClient {
  readonly fails: CheckId;
  readonly how: string;
  readonly wrong: Wrong;
  readonly scenario?: string | ScenarioDefinition;
  /** Left out: HTTP/1.1. */
  readonly over?: readonly Version[];
  /** Left out: any level. */
  readonly level?: Level;
  /** Whether it is judged as in an exam, where the sandbox knows what the client does without a fault. */
  readonly inExam?: boolean;
  /** Whether it takes seconds. */
  readonly waits?: boolean;
  /** How its client is made. */
  readonly client?: NewClientOptions;
  /** Whether it says that it has finished its work. */
  readonly finished?: boolean;
  /** Whether it needs a sandbox whose tokens are valid for a second. */
  readonly shortTokens?: boolean;
  /** Whether the sandbox cannot identify it, so that only the report on all clients shows its mistake. */
  readonly anonymous?: boolean;
}

type Action = (client: CorrectClient) => Promise<unknown>;
export type Rule = NonNullable<ScenarioDefinition["rules"]>[number];

export const payments = "/v1/payments";

/** Does one thing before the run of the correct client. */
export function first(action: Action): Wrong {
  return (Base) =>
    class extends Base {
      override async run(): Promise<void> {
        await action(this);
        await super.run();
      }
    };
}

/** Does one thing, and nothing else. */
export function only(action: Action): Wrong {
  return (Base) =>
    class extends Base {
      override async run(): Promise<void> {
        await action(this);
      }
    };
}

/** First sends its own token request, and accepts any result. */
export const firstForm = (change: (body: string) => string, headers: Record<string, string> = {}) =>
  first((client) => client.post(change(client.form().toString()), { headers }));

export const firstFormAt = (query: string, body: (form: string) => string = (same) => same) =>
  first((client) => client.post(body(client.form().toString()), { path: `/oauth/v2/oauth-token?${query}` }));

/** First sends a request, and accepts any answer. */
export const firstGet = (path: string, method = "GET") =>
  first(async (client) => client.authorised(path, await client.token(), method));

/** First walks a list in another way, and accepts an error as an answer. */
export const firstWalk = (path: string, filters: Record<string, string> = {}) =>
  first((client) => client.walk(path, filters).catch(() => {}));

/** Opens its connections with other settings, and keeps them in one pool. */
export function withAgent(optionsOf: (client: CorrectClient) => ConstructorParameters<typeof Agent>[0]): Wrong {
  return (Base) =>
    class extends Base {
      #agent: Agent | undefined;

      override agent(): Agent {
        this.#agent ??= new Agent({ keepAlive: true, ...tlsOf(this), ...optionsOf(this) });
        return this.#agent;
      }

      override close(): void {
        this.#agent?.destroy();
        super.close();
      }
    };
}

export const on = (when: Rule["when"], then: Rule["then"], limit?: number): ScenarioDefinition => ({
  rules: [{ ...(when && { when }), ...(limit !== undefined && { limit }), then }],
});

export const onPing = (then: Rule["then"], limit?: number) => on({ operation: "ping" }, then, limit);

/** Gives up at the first failure. */
export const discouraged: Wrong = (Base) =>
  class extends Base {
    override mostAttempts(): number {
      return 1;
    }

    override async run(): Promise<void> {
      await this.ping().catch(() => {});
    }
  };
