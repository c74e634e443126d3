import { Agent, type AgentOptions, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { checkServerIdentity } from "node:tls";
import type { CheckId } from "../../src/exam/checks.js";
import type { NewClientOptions, ScenarioDefinition } from "../../src/index.js";
import { type Answer, CorrectClient } from "./correct-client.js";

/** A client with one mistake, and the check that finds it. */
export interface Mutant {
  readonly fails: CheckId;
  readonly how: string;
  readonly Client: new (...args: ConstructorParameters<typeof CorrectClient>) => CorrectClient;
  readonly scenario?: string | ScenarioDefinition;
  /** How its client is made. */
  readonly client?: NewClientOptions;
  /** Whether it says that it has finished its work. */
  readonly finished?: boolean;
  /** Whether it needs a sandbox whose tokens are valid for a second. */
  readonly shortTokens?: boolean;
  /** Whether the sandbox cannot identify it, so that only the report on all clients shows its mistake. */
  readonly anonymous?: boolean;
}

const form = (settings: CorrectClient["settings"]) =>
  `grant_type=client_credentials&client_id=${settings.clientId}&scope=read`;

/** Does one thing before the run of the correct client. */
export function first(action: (client: CorrectClient) => Promise<unknown>): Mutant["Client"] {
  return class extends CorrectClient {
    override async run(): Promise<void> {
      await action(this);
      await super.run();
    }
  };
}

/** First sends its own token request, and accepts any result. */
export const firstForm = (change: (body: string) => string, headers: Record<string, string> = {}) =>
  first((client) => client.post(change(form(client.settings)), { headers }));

export const firstFormAt = (query: string, body: (form: string) => string = (same) => same) =>
  first((client) => client.post(body(form(client.settings)), { path: `/oauth/v2/oauth-token?${query}` }));

/** First sends a request, and accepts any answer. */
export const firstGet = (path: string, method = "GET") =>
  first(async (client) => client.authorised(path, await client.token(), method));

/** First walks a list in another way, and accepts an error as an answer. */
export const firstWalk = (path: string, filters: Record<string, string> = {}) =>
  first((client) => client.walk(path, filters).catch(() => {}));

export const alwaysOnPing = (then: NonNullable<ScenarioDefinition["rules"]>[number]["then"], limit: number) => ({
  rules: [{ when: { operation: "ping" as const }, limit, then }],
});

/** Waits for a fixed time, whatever the answer says. */
export class Deaf extends CorrectClient {
  override pause(): Promise<void> {
    return sleep(150);
  }
}

/** Waits longer each time, and does not give up. */
export class Persistent extends CorrectClient {
  override mostAttempts(): number {
    return 14;
  }

  override pause(attempt: number): Promise<void> {
    return sleep(Math.min(100 * 2 ** attempt, 500));
  }
}

/** Gives up at the first failure. */
export class Discouraged extends CorrectClient {
  override mostAttempts(): number {
    return 1;
  }

  override async run(): Promise<void> {
    await this.ping().catch(() => {});
  }
}

/** Goes on with other requests while one of them has to wait, and gives that one up. */
export class Busy extends Discouraged {
  override async run(): Promise<void> {
    await super.run();
    const token = await this.token();
    for (const list of ["payments", "payouts", "payments?pageSize=2", "payouts?pageSize=2"]) {
      await sleep(150);
      await this.authorised(`/v1/${list}`, token);
    }
  }
}

/** Repeats requests that were refused permanently. */
export class Stubborn extends CorrectClient {
  override isTransient(answer: Answer): boolean {
    return super.isTransient(answer) || [400, 403, 404, 405].includes(answer.status);
  }
}

/** Follows every cursor, without looking for a circle. */
export class Follower extends CorrectClient {
  override async pages(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const { next } = await this.page(path, filters, cursor);
      if (next === undefined) break;
      cursor = next;
    }
    return [];
  }
}

/** Continues to use a refused token. */
export class Loyal extends CorrectClient {
  override refused(): void {}
}

export class LoyalElsewhere extends Loyal {
  override async call(path: string, method?: string): Promise<Answer> {
    const token = await this.token();
    const answer = await this.authorised(path, token, method);
    if (answer.status !== 401) return answer;
    // Long enough for the refusal to have arrived.
    await sleep(200);
    const other = new Agent({ ...tlsOf(this) });
    const again = await this.send({ path, agent: other, headers: { Authorization: `Bearer ${token.value}` } });
    super.refused();
    other.destroy();
    return again;
  }
}

export function tlsOf({ settings: { ca, cert, key } }: CorrectClient): AgentOptions {
  return { ca, cert, key };
}

/** Requests a token twice at the same time: the second request is sent while the first one waits for its body. */
export const twoTokensAtOnce = first(
  (client) =>
    new Promise<void>((resolve, reject) => {
      const body = form(client.settings);
      const headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": body.length,
        Expect: "100-continue",
      };
      const options = { path: "/oauth/v2/oauth-token", method: "POST", agent: client.agent(), headers };
      const open = request(new URL(client.settings.url), options, (answer) => answer.resume().on("end", resolve));
      open.on("error", reject);
      open.on("continue", () => client.token().then(() => open.end(body), reject));
      open.flushHeaders();
    }),
);

/** Connects under a name for which the server shows a certificate of another host, and expects that other host. */
export const credulous = first(async (client) => {
  const agent = new Agent({
    ...tlsOf(client),
    servername: "wrong-host.localhost",
    checkServerIdentity: (_host, certificate) => checkServerIdentity("elsewhere.test", certificate),
  });
  await client.send({ path: "/v1/ping", agent });
  agent.destroy();
});
