import { type Answer, CorrectClient } from "./correct-client.js";
import { alwaysOnPing, first, firstForm, type Mutant } from "./mutant.js";

type Filters = Readonly<Record<string, string>>;
const payments = "/v1/payments";

/** Clients that do not get in, or go on without end, or take their token elsewhere. */
export const accessMutants: readonly Mutant[] = [
  {
    fails: "token.sent",
    how: "no token",
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        await this.send({ path: "/v1/ping" });
      }
    },
  },
  {
    fails: "token.sent",
    how: "a token in the body",
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        const body = `access_token=${(await this.token()).value}`;
        await this.send({ path: "/v1/ping", headers: { "Content-Type": "application/x-www-form-urlencoded" } }, body);
      }
    },
  },
  {
    fails: "token.granted",
    how: "a scope that was never granted",
    Client: firstForm((body) => body.replace("scope=read", "scope=write")),
  },
  {
    fails: "token.granted",
    how: "the client_id of another client",
    Client: firstForm((body) => body.replace(/client_id=[^&]+/, "client_id=somebody-else")),
  },
  {
    fails: "token.renewed",
    how: "a new token after each 401",
    scenario: { rules: [{ when: { operation: "ping" }, then: { error: "bearer.invalid-token" } }] },
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        for (let attempt = 1; attempt <= 7; attempt++) {
          const token = await this.token();
          await this.authorised("/v1/ping", token);
          this.refused(token);
        }
      }
    },
  },
  {
    fails: "token.retried",
    how: "a 401 is ignored",
    finished: true,
    scenario: "unauthorized-once",
    Client: class extends CorrectClient {
      override async run(): Promise<void> {
        const token = await this.token();
        await this.authorised("/v1/ping", token);
        this.refused(token);
        await this.walk(payments, { pageSize: "10" });
      }
    },
  },
  {
    fails: "token.host",
    how: "a redirect with the token",
    scenario: alwaysOnPing({ redirect: 307 }, 1),
    Client: first(async (client) => {
      const token = await client.token();
      const { headers } = await client.authorised("/v1/ping", token);
      const elsewhere = new URL(String(headers.location));
      const options = { hostname: elsewhere.hostname, path: "/v1/ping", servername: "localhost" };
      await client.send({ ...options, headers: { Authorization: `Bearer ${token.value}`, Host: elsewhere.host } });
    }),
  },
];

/** Walks in one way or another, and says that all went well. */
class Walking extends CorrectClient {
  override async run(): Promise<void> {
    await this.walk(payments, { pageSize: "10", status: "PENDING" });
  }
}

/** Takes a page that failed for the last one. */
class Content extends Walking {
  override mostAttempts(): number {
    // A repetition is for `retry.recovers`.
    return 2;
  }

  override async page(path: string, filters: Filters, cursor: string | undefined) {
    const none = { rows: [] as unknown[], next: undefined };
    return super.page(path, filters, cursor).catch(() => none);
  }
}

/** Begins a walk again whose cursor was refused, as often as it takes. */
class Restless extends Walking {
  override async walk(path: string, filters: Filters = {}): Promise<unknown[]> {
    for (let attempt = 1; attempt <= 8; attempt++) {
      const rows = await this.pages(path, filters).catch(() => undefined);
      if (rows !== undefined) return rows;
    }
    return [];
  }
}

/** Clients that do not come to the end of a walk, and report that they did. */
export const walkMutants: readonly Mutant[] = [
  {
    fails: "list.complete",
    how: "the last cursor is never followed",
    finished: true,
    Client: class extends Walking {
      override async page(path: string, _filters: Filters, cursor: string | undefined) {
        const page = await super.page(path, { pageSize: "2" }, cursor);
        return cursor === undefined ? page : { ...page, next: undefined };
      }
    },
  },
  ...[
    { how: "a truncated page is the end", then: { connection: "truncate" as const } },
    { how: "a page of HTML is an empty list", then: { respond: { status: 200, body: "<html></html>" } } },
    { how: "a page that is refused with 401 is the end", then: { error: "bearer.invalid-token" as const } },
  ].map(({ how, then }) => ({
    fails: "list.lost-page" as const,
    how,
    finished: true,
    scenario: { rules: [{ when: { operation: "list" as const }, limit: 4, then }] },
    Client: Content,
  })),
  {
    fails: "list.begun-again",
    how: "a refused cursor is the end",
    finished: true,
    scenario: { rules: [{ when: { page: 2 }, limit: 1, then: { error: "INVALID_CURSOR" } }] },
    Client: class extends Content {
      override async page(path: string, filters: Filters, cursor: string | undefined) {
        return super.page(path, { ...filters, pageSize: "2" }, cursor);
      }
    },
  },
  {
    fails: "list.begun-again",
    how: "a restart with other filters",
    finished: true,
    scenario: { rules: [{ when: { page: 2 }, limit: 1, then: { error: "CURSOR_FILTERS_CHANGED" } }] },
    Client: class extends Walking {
      override async walk(path: string): Promise<unknown[]> {
        const filters = { pageSize: "2", status: "PENDING" };
        return this.pages(path, filters).catch(() => this.pages(path, { pageSize: "10" }));
      }
    },
  },
  {
    fails: "list.restarts",
    how: "eight restarts",
    scenario: { rules: [{ when: { page: 2 }, then: { error: "INVALID_CURSOR" } }] },
    Client: class extends Restless {
      override async page(path: string, filters: Filters, cursor: string | undefined) {
        return super.page(path, { ...filters, pageSize: "2" }, cursor);
      }
    },
  },
  {
    fails: "list.cursor",
    how: "is not percent-encoded",
    scenario: "reserved-cursors",
    Client: class extends CorrectClient {
      override async page(path: string, filters: Filters, cursor: string | undefined) {
        const query = new URLSearchParams(filters);
        const answer: Answer = await this.call(`${path}?${query}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
        const { items, nextCursor } = JSON.parse(answer.text) as { items: unknown[]; nextCursor?: string };
        return { rows: items, next: nextCursor };
      }

      override async run(): Promise<void> {
        await super.run().catch(() => {});
      }
    },
  },
];
