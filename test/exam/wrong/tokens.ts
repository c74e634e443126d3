import { Agent, type RequestOptions, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type CorrectClient, type Token, tlsOf } from "../correct-client.js";
import { both, first, only, onPing, payments, type Wrong, type WrongClient } from "./wrong-client.js";

/** Long enough for an answer to have arrived on every connection. */
const arrived = () => sleep(200);

/** More often than workers could that do not know of the refusal. */
const again = async (client: CorrectClient, token: Token) => {
  for (let sent = 0; sent < 20; sent++) await client.authorised("/v1/ping", token);
};

/** Sends a refused token once more. */
export const stubborn: Wrong = (Base) =>
  class extends Base {
    override async authorised(path: string, token: Token, method?: string): Promise<Answer> {
      const answer = await super.authorised(path, token, method);
      return answer.status === 401 ? super.authorised(path, token, method) : answer;
    }
  };

/** Sends a refused token to the token endpoint. */
const bearing: Wrong = (Base) =>
  class extends Base {
    #refused: string | undefined;

    override refused(token: Token): void {
      this.#refused = token.value;
      super.refused(token);
    }

    override post(body: string, options: RequestOptions = {}): Promise<Answer> {
      const headers = this.#refused === undefined ? {} : { Authorization: `Bearer ${this.#refused}` };
      return super.post(body, { ...options, headers });
    }
  };

/** Sends a refused token once more, on another connection. */
const elsewhere: Wrong = (Base) =>
  class extends Base {
    override async call(path: string, method?: string): Promise<Answer> {
      const token = await this.token();
      const answer = await this.authorised(path, token, method);
      if (answer.status !== 401) return answer;
      await arrived();
      const other = new Agent({ ...tlsOf(this) });
      const again = await this.send({ path, agent: other, headers: { Authorization: `Bearer ${token.value}` } });
      this.refused(token);
      other.destroy();
      return again;
    }
  };

/** Requests a token twice at the same time: the second request is sent while the first one waits for its body. */
const twoAtOnce = first(
  (client) =>
    new Promise<void>((resolve, reject) => {
      const body = client.form().toString();
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

/** Goes on with its token after its certificate was renewed, and after the refusal has told it. */
const keepsToken =
  (goesOn: (renewed: CorrectClient, token: Token) => Promise<unknown>): Wrong =>
  (Base) =>
    class extends Base {
      override async run(): Promise<void> {
        const token = await this.token();
        await this.authorised("/v1/ping", token);
        const renewed = new Base({ ...this.settings, ...(await this.settings.renewed?.()) });
        await renewed.authorised("/v1/ping", token);
        await arrived();
        await goesOn(renewed, token);
        renewed.close();
      }
    };

const refusedOnce = "unauthorized-once";
const refused = { error: "bearer.invalid-token" } as const;
const renews = onPing({ certificate: { renew: { overlap: "30s" } } }, 1);

/** Clients that get, keep or send their tokens in a wrong way. */
export const wrongWithTokens: readonly WrongClient[] = [
  {
    fails: "token.reused",
    how: "a token for each request",
    over: both,
    wrong: (Base) =>
      class extends Base {
        override token(): Promise<Token> {
          return this.requestToken();
        }
      },
  },
  { fails: "token.shared", how: "two token requests at once", wrong: twoAtOnce },
  {
    fails: "token.expired",
    how: "a token until it is refused",
    over: both,
    waits: true,
    shortTokens: true,
    wrong: (Base) =>
      class extends Base {
        override isFresh(): boolean {
          return true;
        }

        override async run(): Promise<void> {
          await this.ping();
          await sleep(2500);
          // On a busy machine, the next token may expire before it is used.
          await this.ping().catch(() => {});
        }
      },
  },
  {
    fails: "token.refused",
    how: "once more",
    over: both,
    inExam: true,
    level: "must",
    scenario: refusedOnce,
    wrong: stubborn,
  },
  {
    fails: "token.refused",
    how: "once more, in a walk",
    over: both,
    inExam: true,
    level: "must",
    scenario: "token-revoked",
    wrong: stubborn,
  },
  {
    fails: "token.refused",
    how: "to the token endpoint",
    over: both,
    inExam: true,
    level: "must",
    scenario: "token-revoked",
    wrong: bearing,
  },
  {
    fails: "token.refused",
    how: "the same token at once",
    over: both,
    scenario: refusedOnce,
    wrong: (Base) =>
      class extends Base {
        override refused(): void {}
      },
  },
  { fails: "token.refused", how: "on another connection", scenario: refusedOnce, wrong: elsewhere },
  {
    fails: "token.refused",
    how: "again and again",
    over: both,
    level: "must",
    scenario: onPing(refused),
    wrong: only(async (client) => again(client, await client.token())),
  },
  {
    fails: "token.certificate",
    how: "no certificate",
    level: "must",
    wrong: first(async (client) => {
      const agent = new Agent({ ca: client.settings.ca });
      const { value } = await client.token();
      await client.send({ path: "/v1/ping", agent, headers: { Authorization: `Bearer ${value}` } });
      agent.destroy();
    }),
  },
  {
    fails: "token.certificate",
    how: "the token of the certificate that was renewed",
    over: both,
    level: "must",
    scenario: renews,
    wrong: keepsToken(again),
  },
  {
    fails: "token.certificate",
    how: "the token of the certificate that was renewed, in a burst",
    over: both,
    level: "must",
    scenario: renews,
    wrong: keepsToken((renewed, token) =>
      Promise.all(Array.from({ length: 24 }, () => renewed.authorised("/v1/ping", token))),
    ),
  },
  {
    fails: "token.header",
    how: "in the URL",
    wrong: first(async (client) => client.send({ path: `/v1/ping?access_token=${(await client.token()).value}` })),
  },
  {
    fails: "token.header",
    how: "in the URL and in the header",
    wrong: first(async (client) => {
      const token = await client.token();
      await client.authorised(`/v1/ping?access_token=${token.value}`, token);
    }),
  },
  {
    fails: "token.header",
    how: "in two headers",
    wrong: first(async (client) => {
      const { value } = await client.token();
      const headers = ["Host", "localhost", "Authorization", `Bearer ${value}`, "Authorization", `Bearer ${value}`];
      await new Promise((resolve, reject) => {
        const options = { path: "/v1/ping", agent: client.agent(), headers };
        request(new URL(client.settings.url), options, (answer) => answer.resume().on("end", resolve))
          .on("error", reject)
          .end();
      });
    }),
  },
  {
    fails: "token.type",
    how: "a token of any type",
    scenario: "wrong-token-type",
    wrong: (Base) =>
      class extends Base {
        override accepts(): boolean {
          return true;
        }
      },
  },
  { fails: "token.sent", how: "no token", wrong: only((client) => client.send({ path: "/v1/ping" })) },
  {
    fails: "token.sent",
    how: "a token in the body",
    wrong: only(async (client) => {
      const body = `access_token=${(await client.token()).value}`;
      await client.send({ path: "/v1/ping", headers: { "Content-Type": "application/x-www-form-urlencoded" } }, body);
    }),
  },
  ...[true, false].map((inExam) => ({
    fails: "token.renewed" as const,
    how: `a new token after each 401${inExam ? ", in an exam" : ""}`,
    over: both,
    inExam,
    level: inExam ? ("must" as const) : ("should" as const),
    scenario: onPing(refused),
    wrong: only(async (client) => {
      for (let attempt = 1; attempt <= 7; attempt++) {
        const token = await client.token();
        await client.authorised("/v1/ping", token);
        client.refused(token);
      }
    }),
  })),
  {
    fails: "token.retried",
    how: "a 401 is ignored",
    over: both,
    finished: true,
    scenario: refusedOnce,
    wrong: only(async (client) => {
      const token = await client.token();
      await client.authorised("/v1/ping", token);
      client.refused(token);
      await client.walk(payments, { pageSize: "10" });
    }),
  },
  {
    fails: "token.host",
    how: "a redirect with the token",
    scenario: onPing({ redirect: 307 }, 1),
    wrong: first(async (client) => {
      const token = await client.token();
      const { headers } = await client.authorised("/v1/ping", token);
      const there = new URL(String(headers.location));
      const options = { hostname: there.hostname, path: "/v1/ping", servername: "localhost" };
      await client.send({ ...options, headers: { Authorization: `Bearer ${token.value}`, Host: there.host } });
    }),
  },
];
