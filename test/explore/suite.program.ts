import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, CorrectClient } from "../exam/correct-client.js";

// A suite of several tests, as `payments-sandbox explore` runs it. WEAKNESS chooses the mistake of its client, SUITE what
// is special about its tests; with BAIL, nothing follows the first failure.

const { env } = process;
const payments = "/v1/payments";

/** Any error is nothing: a list without rows, a ping that did not succeed. */
class Swallowing extends CorrectClient {
  override async page(...given: Parameters<CorrectClient["page"]>) {
    return super.page(...given).catch(() => ({ rows: [], next: undefined }));
  }

  override async ping() {
    return super.ping().catch(() => ({ status: 0, headers: {}, text: "" }));
  }

  override mostAttempts(): number {
    return 1;
  }
}

/** Ends its process without an error when no connection for a token is to be had. */
class Exiting extends CorrectClient {
  override post(body: string): Promise<Answer> {
    return super.post(body).catch(() => process.exit(0));
  }
}

/** Tries nothing again. */
class Resigned extends CorrectClient {
  override mostAttempts(): number {
    return 1;
  }
}

/** Tries again without end when it gets no token, every 20 ms. */
class EndlessAtToken extends CorrectClient {
  override async requestToken() {
    for (;;) {
      const token = await super.requestToken().catch(() => sleep(20));
      if (token !== undefined) return token;
    }
  }

  override mostAttempts(): number {
    return 1;
  }
}

/** Does not wait as long as Retry-After says, for a token. */
class HastyAtToken extends CorrectClient {
  override postForm(): Promise<Answer> {
    return super
      .postForm()
      .then(({ headers: { "retry-after": _, ...headers }, ...answer }) => ({ ...answer, headers }));
  }
}

/** After a failure, sends the request six times at once. */
class Bursting extends CorrectClient {
  override async persist(attemptOnce: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await attemptOnce();
      if (!this.isTransient(answer)) return answer;
    } catch {
      // All of them again.
    }
    return Promise.any(Array.from({ length: 6 }, attemptOnce));
  }
}

/** Takes another token after each 401. */
class Renewing extends CorrectClient {
  override async call(path: string): Promise<Answer> {
    for (;;) {
      const token = await this.token();
      const answer = await this.persist(() => this.authorised(path, token));
      if (answer.status !== 401) return this.checked(answer);
      this.refused(token);
    }
  }
}

/** Reads a list from its beginning when a page fails, and keeps the rows that it has. */
class Restarting extends CorrectClient {
  override async pages(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    return super.pages(path, filters).catch(() => super.pages(path, filters));
  }

  override mostAttempts(): number {
    return 1;
  }
}

/** Sends a request once more when no answer came for a while, and takes the first answer. */
class Hedging extends CorrectClient {
  override async authorised(...given: Parameters<CorrectClient["authorised"]>): Promise<Answer> {
    const first = super.authorised(...given);
    const isSlow = await Promise.race([first.then(() => false), sleep(15, true)]).catch(() => false);
    return isSlow ? Promise.any([first, super.authorised(...given)]) : first;
  }
}

const clients = {
  none: CorrectClient,
  swallowing: Swallowing,
  exiting: Exiting,
  resigned: Resigned,
  "endless-at-token": EndlessAtToken,
  "hasty-at-token": HastyAtToken,
  bursting: Bursting,
  renewing: Renewing,
  restarting: Restarting,
  hedging: Hedging,
} as const;

const file = (name: string) => readFileSync(env[name] ?? "", "utf8");
const Client = clients[(env["WEAKNESS"] ?? "none") as keyof typeof clients];
const settings = {
  url: env["SANDBOX_URL"] ?? "",
  clientId: env["SANDBOX_CLIENT_ID"] ?? "",
  ca: file("SANDBOX_CA_FILE"),
  cert: file("SANDBOX_CERT_FILE"),
  key: file("SANDBOX_KEY_FILE"),
  giveUpAfter: 3000,
};
let shared: CorrectClient | undefined;
const made: CorrectClient[] = [];
let hasFailed = false;

/** The client of a test: with SUITE=apart, each has its own. */
function clientOfTest(): CorrectClient {
  if (shared !== undefined && env["SUITE"] !== "apart") return shared;
  shared = new Client(settings);
  made.push(shared);
  return shared;
}

function testOf(name: string, run: (client: CorrectClient) => Promise<void>): void {
  test(name, async (context) => {
    if (hasFailed && env["BAIL"] !== undefined) return context.skip();
    try {
      await run(clientOfTest());
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  });
}

/** The beginning of a list, as `list({ limit: 3 })` of an SDK reads it. */
async function limited(client: CorrectClient, path: string, filters: Readonly<Record<string, string>> = {}) {
  return (await client.page(path, { ...filters, pageSize: "3" }, undefined)).rows;
}

testOf("asks for a token", async (client) => {
  await client.token();
});
testOf("pings", async (client) => {
  let sent = 0;
  const { send } = client;
  client.send = (...given) => {
    sent += 1;
    return send.apply(client, given);
  };
  await client.ping();
  if (env["SUITE"] === "counting") assert.equal(sent, 1);
});
testOf("reads some payments", async (client) => {
  assert.ok(Array.isArray(await limited(client, payments)));
});
testOf("reads the payments since an hour ago", async (client) => {
  const fromCreatedAt = new Date(Date.now() - 3_600_000 * 24).toISOString();
  assert.ok(Array.isArray(await limited(client, payments, { fromCreatedAt })));
});
testOf("reads some payments once more", async (client) => {
  assert.ok(Array.isArray(await limited(client, payments)));
});
testOf("learns that a page is too large", async (client) => {
  await client.page(payments, { pageSize: "99999" }, undefined).then(
    () => {},
    (error: unknown) => assert.ok(error instanceof Error),
  );
});
testOf("reads two pages of payouts", async (client) => {
  const { next } = await client.page("/v1/payouts", { pageSize: "10" }, undefined);
  await client.page("/v1/payouts", { pageSize: "10" }, next);
});
testOf("walks through the payouts", async (client) => {
  assert.ok(Array.isArray(await client.walk("/v1/payouts", { pageSize: "10" })));
});
testOf("pings once more", async (client) => {
  await client.ping();
});
if (env["SUITE"] === "polling")
  testOf("polls for a while", async (client) => {
    const until = performance.now() + 500;
    while (performance.now() < until) {
      await limited(client, "/v1/payouts");
      await sleep(40);
    }
  });
test("the end", () => {
  for (const client of made) client.close();
});
