import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientHandle, type StartedSandbox, startSandbox } from "../../src/index.js";
import { CorrectClient } from "./correct-client.js";

let sandbox: StartedSandbox;

beforeAll(async () => {
  const fields = {
    id: { type: "uuid" },
    status: { type: "constant", value: "PAID" },
    createdAt: { type: "createdAt" },
  };
  sandbox = await startSandbox({
    lists: {
      payments: { count: 40 },
      linked: { count: 40, fields, envelope: { nextLink: "next" } },
      arrays: { count: 40, envelope: { items: null, linkHeader: true } },
    } as never,
  });
});

afterAll(() => sandbox.close());

/** Takes cursors as they come. */
class Following extends CorrectClient {
  override async pages(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const rows: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page(path, filters, cursor);
      rows.push(...page.rows);
      cursor = this.isEnd(cursor, page.next) ? undefined : page.next;
    } while (cursor !== undefined);
    return rows;
  }

  isEnd(_sent: string | undefined, next: string | undefined): boolean {
    return next === undefined;
  }
}

/** Takes a cursor that comes again for the end of the list. */
class Satisfied extends Following {
  override isEnd(sent: string | undefined, next: string | undefined): boolean {
    return next === undefined || next === sent;
  }
}

/** Follows next links as they are. */
class Linked extends CorrectClient {
  override async pages(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const rows: unknown[] = [];
    let target: string | undefined = `${path}?${new URLSearchParams(filters)}`;
    while (target !== undefined) {
      const page = JSON.parse((await this.call(target)).text) as { items: unknown[]; next?: string };
      rows.push(...page.items);
      target = page.next?.replace(/^https:\/\/[^/]+/, "");
    }
    return rows;
  }
}

/** Reads pages that are arrays, and follows the header Link. */
class Arrays extends Following {
  override async page(path: string, filters: Readonly<Record<string, string>>, cursor: string | undefined) {
    const query = new URLSearchParams({ ...filters, ...(cursor !== undefined && { cursor }) });
    const { text, headers } = await this.call(`${path}?${query}`);
    const link = /^<([^>]+)>; rel="next"$/.exec(String(headers["link"] ?? ""))?.[1];
    return { rows: JSON.parse(text), next: link && (new URL(link).searchParams.get("cursor") ?? undefined) };
  }
}

/** Takes an empty page for the end. */
class Hasty extends Arrays {
  override async page(path: string, filters: Readonly<Record<string, string>>, cursor: string | undefined) {
    const page = await super.page(path, filters, cursor);
    return page.rows.length === 0 ? { rows: [], next: undefined } : page;
  }
}

/** Ends a walk without a word when a link is refused. */
class Silent extends Linked {
  override async walk(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    return this.pages(path, filters).catch(() => []);
  }
}

type Run = (client: CorrectClient) => Promise<unknown>;

/** The checks that a client fails, and the verdict on one check. */
async function judged(
  Client: typeof CorrectClient,
  run: Run,
  choose: (client: ClientHandle) => Promise<unknown>,
  check: string,
) {
  const registered = await sandbox.createClient();
  await choose(registered);
  const client = new Client({ url: registered.url, clientId: registered.clientId, ...registered.tls });
  const finished = await run(client).then(
    () => true,
    () => false,
  );
  client.close();
  const { failed, drills } = await registered.report({ finished });
  return { finished, failed, verdict: drills[0]?.checks.find(({ id }) => id === check)?.verdict };
}

const advancing = (client: ClientHandle) => client.useScenario("cursor-advances");
const walk: Run = (client) => client.walk("/v1/payments", { pageSize: "5" });
const linked: Run = (client) => client.walk("/v1/linked", { pageSize: "5", status: "PAID" });
const losing = (client: ClientHandle) => client.useScenario("next-link-without-filters");

describe.concurrent("the exam under cursor-advances", () => {
  it.each([
    ["one walk after the other", (client: CorrectClient) => walk(client).then(() => walk(client))],
    ["four at once", (client: CorrectClient) => Promise.all([1, 2, 3, 4].map(() => walk(client)))],
  ] as const)("%s of a client that follows the cursor fails nothing", async (_how, run) => {
    expect(await judged(Following, run, advancing, "list.complete")).toEqual({
      finished: true,
      failed: [],
      verdict: "pass",
    });
  });

  it("nor does one that stops when a cursor repeats, and says so", async () => {
    expect(await judged(CorrectClient, walk, advancing, "list.complete")).toMatchObject({
      finished: false,
      failed: [],
    });
  });

  it("one that takes it for the end of the list fails list.complete", async () => {
    const { finished, failed, verdict } = await judged(Satisfied, walk, advancing, "list.complete");
    expect([finished, verdict]).toEqual([true, "fail"]);
    // It was sent, for the page that brought it again.
    expect(failed).toEqual([
      expect.stringMatching(/^list\.complete.*its last page had a cursor, which was not sent after that page\./s),
    ]);
  });

  it("a client that repeats a request, and so misses a page that it cannot miss knowingly, fails nothing", async () => {
    const rules = [
      { when: { page: 3 }, limit: 1, then: { page: { cursor: "advances" as const }, connection: "truncate" as const } },
      { then: { page: { cursor: "advances" as const } } },
    ];
    const choose = (client: ClientHandle) => client.useScenario({ rules });
    expect(await judged(Following, walk, choose, "list.complete")).toMatchObject({ finished: true, failed: [] });
  });
});

describe.concurrent("the exam under next-link-without-filters", () => {
  it("a client that follows the link, and begins again, fails nothing", async () => {
    expect(await judged(Linked, linked, losing, "list.begun-again")).toEqual({
      finished: true,
      failed: [],
      verdict: "pass",
    });
  });

  it("one that ends then as if it had read everything fails list.begun-again", async () => {
    const { failed } = await judged(Silent, linked, losing, "list.begun-again");
    expect(failed).toEqual([expect.stringContaining("list.begun-again")]);
  });
});

describe.concurrent("the exam with pages that are an array alone", () => {
  const arrays: Run = (client) => client.walk("/v1/arrays", { pageSize: "5" });
  const empty = (client: ClientHandle) =>
    client.useScenario({ rules: [{ when: { page: 3 }, limit: 1, then: { page: { empty: true } } }] });
  // The bodies of pages are read, because the sandbox did not write them.
  const altered = (client: ClientHandle) =>
    client.useScenario({
      rules: [{ when: { page: 3 }, limit: 1, then: { page: { empty: true }, alter: { headers: { "X-New": "1" } } } }],
    });

  it.each([
    ["empty", empty],
    ["altered", altered],
  ] as const)("an %s page is not the end of a walk by Link", { tags: "slow" }, async (_what, choose) => {
    expect(await judged(Arrays, arrays, choose, "list.complete")).toEqual({
      finished: true,
      failed: [],
      verdict: "pass",
    });
    const { failed } = await judged(Hasty, arrays, choose, "list.complete");
    expect(failed).toEqual([expect.stringContaining("list.empty-page")]);
  });
});
