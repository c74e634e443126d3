import type { CorrectClient } from "../correct-client.js";
import { both, on, payments, type Wrong, type WrongClient } from "./wrong-client.js";

type Page = CorrectClient["page"];
type Filters = Parameters<Page>[1];

/** Reads each page in another way. */
const reading =
  (read: (page: Page, ...given: Parameters<Page>) => ReturnType<Page>): Wrong =>
  (Base) =>
    class extends Base {
      override page(...given: Parameters<Page>): ReturnType<Page> {
        return read((...own) => super.page(...own), ...given);
      }
    };

/** Walks once in another way. */
const walking =
  (walk: (client: CorrectClient, filters: Filters) => Promise<unknown>): Wrong =>
  (Base) =>
    class extends Base {
      override async run(): Promise<void> {
        await walk(this, { pageSize: "2", status: "PENDING" });
      }
    };

const none = { rows: [], next: undefined };

/** Takes a page that failed for the last one. A repetition is for `retry.recovers`. */
const content: Wrong = (Base) =>
  class extends reading((page, ...given) => page(...given).catch(() => none))(Base) {
    override mostAttempts(): number {
      return 2;
    }
  };

/** Sends a refused cursor once more. */
const circling = reading((page, ...given) =>
  page(...given).catch((error: Error) => {
    if (!error.message.includes("CURSOR")) throw error;
    return page(...given);
  }),
);

/** Begins a walk again whose cursor was refused, eight times. */
const restless: Wrong = (Base) =>
  class extends Base {
    override async walk(path: string, filters: Filters = {}): Promise<unknown[]> {
      for (let attempt = 1; attempt <= 8; attempt++) {
        const rows = await this.pages(path, filters).catch(() => undefined);
        if (rows !== undefined) return rows;
      }
      return [];
    }
  };

/** Follows every cursor, without looking for a circle. */
const following: Wrong = (Base) =>
  class extends Base {
    override async pages(path: string, filters: Filters): Promise<unknown[]> {
      let cursor: string | undefined;
      for (let page = 0; page < 20; page++) {
        const { next } = await this.page(path, filters, cursor);
        if (next === undefined) break;
        cursor = next;
      }
      return [];
    }
  };

/** Reads the second page three times. */
const threeTimes: Wrong = (Base) => {
  let pages = 0;
  return reading(async (page, ...given) => {
    pages += 1;
    if (pages === 2) for (const _ of [1, 2]) await page(...given);
    return page(...given);
  })(Base);
};

const refusedAtTwo = on({ page: 2 }, { error: "INVALID_CURSOR" }, 1);

/** Clients that walk lists in a wrong way. Those that are finished report that all went well. */
export const wrongWalks: readonly WrongClient[] = [
  ...[true, false].map(
    (inExam): WrongClient => ({
      fails: "list.restart",
      how: `the same cursor again${inExam ? ", in an exam" : ""}`,
      over: both,
      inExam,
      level: inExam ? "must" : "should",
      scenario: "cursor-refused-once",
      wrong: circling,
    }),
  ),
  {
    fails: "list.empty-page",
    how: "the end of the list",
    over: both,
    scenario: "empty-page-with-cursor",
    wrong: reading((page, ...given) => page(...given).then((read) => (read.rows.length === 0 ? none : read))),
  },
  { fails: "list.loop", how: "the same page three times", over: both, wrong: threeTimes },
  ...["cursor-loop", ...circles()].map(
    (scenario): WrongClient => ({
      fails: "list.loop",
      how: `without limit, ${typeof scenario === "string" ? scenario : JSON.stringify(scenario.rules)}`,
      scenario,
      wrong: following,
    }),
  ),
  {
    fails: "list.complete",
    how: "the last cursor is never followed",
    over: both,
    finished: true,
    wrong: reading(async (page, path, filters, cursor) => {
      const { rows, next } = await page(path, filters, cursor);
      return { rows, next: cursor === undefined ? next : undefined };
    }),
  },
  ...(
    [
      ["a truncated page is the end", { connection: "truncate" }],
      ["a page of HTML is an empty list", { respond: { status: 200, body: "<html></html>" } }],
      ["a page that is refused with 401 is the end", { error: "bearer.invalid-token" }],
    ] as const
  ).map(
    ([how, then]): WrongClient => ({
      fails: "list.lost-page",
      how,
      over: both,
      finished: true,
      scenario: on({ operation: "list" }, then, 4),
      wrong: (Base) => walking((client, filters) => client.walk(payments, filters))(content(Base)),
    }),
  ),
  {
    fails: "list.begun-again",
    how: "a refused cursor is the end",
    over: both,
    finished: true,
    scenario: refusedAtTwo,
    wrong: content,
  },
  {
    fails: "list.begun-again",
    how: "a restart with other filters",
    finished: true,
    scenario: on({ page: 2 }, { error: "CURSOR_FILTERS_CHANGED" }, 1),
    wrong: walking((client, filters) =>
      client.pages(payments, filters).catch(() => client.pages(payments, { pageSize: "10" })),
    ),
  },
  ...[true, false].map(
    (inExam): WrongClient => ({
      fails: "list.restarts",
      how: `eight restarts${inExam ? ", in an exam" : ""}`,
      over: both,
      inExam,
      level: inExam ? "must" : "should",
      scenario: on({ page: 2 }, { error: "INVALID_CURSOR" }),
      wrong: restless,
    }),
  ),
];

/** Lists with a page that leads to itself, or to the first one. */
function circles() {
  return (
    [
      [1, "same"],
      [3, "first"],
      [1, "first"],
    ] as const
  ).map(([page, cursor]) => on({ operation: "list", page }, { page: { cursor } }));
}
