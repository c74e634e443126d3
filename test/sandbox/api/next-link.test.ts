import { describe, expect, it } from "vitest";
import { nextPageTarget } from "../../../src/sandbox/api/next-link.js";
import type { EnvelopeSettings } from "../../../src/sandbox/lists/settings.js";
import { createHarness } from "./harness.js";

const path = "/v2/accounts/{account}/transfers";

/** Follows links from a path to the end; `next` returns the link of an answer. */
async function follow(envelope: EnvelopeSettings, first: string, next: (answer: Answer) => string | undefined) {
  const settings = {
    path,
    count: 25,
    dateField: null,
    parameters: { pageSize: "page[size]", cursor: "page[after]" },
    filters: { kind: "kind" },
    fields: {
      kind: { type: "choice", values: ["a b", "é"] },
      n: { type: "text", template: "{number}" },
    },
    envelope,
  } as const;
  const harness = await createHarness({ lists: { transfers: settings } });
  const token = await harness.tokenFor();
  const links: string[] = [];
  const rows: string[] = [];
  for (let link: string | undefined = first; link !== undefined; ) {
    const answer: Answer = await harness.send(link.replace("https://localhost", ""), { token });
    expect(answer.status).toBe(200);
    rows.push(...answer.json.items.map(({ n }: { n: string }) => n));
    link = next(answer);
    if (link !== undefined) links.push(link);
    expect(links.length).toBeLessThan(20);
  }
  return { links, rows };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof createHarness>>["send"]>>;

describe("the link of the next page", () => {
  it("is absolute, and enough for a walk", async () => {
    const { links, rows } = await follow(
      { nextLink: "_links.next.href", lastCursor: "null" },
      "/v2/accounts/acc%201/transfers?page[size]=4&kind=%C3%A9",
      ({ json }) => json._links.next?.href,
    );
    expect(links[0]).toMatch(
      /^https:\/\/localhost\/v2\/accounts\/acc%201\/transfers\?page%5Bsize%5D=4&kind=%C3%A9&page%5Bafter%5D=[\w-]+$/,
    );
    expect(links.at(-1)?.split("&")).toHaveLength(3);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(8);
  });

  it("is a path with a query", async () => {
    const { links, rows } = await follow(
      { nextLink: "next", linkForm: "path" },
      "/v2/accounts/1/transfers",
      ({ json }) => json.next,
    );
    expect(links).toEqual(
      [1, 2].map(() => expect.stringMatching(/^\/v2\/accounts\/1\/transfers\?page%5Bafter%5D=[\w-]+$/)),
    );
    expect(rows).toHaveLength(25);
  });

  it("is a header", async () => {
    const { links, rows } = await follow(
      { linkHeader: true },
      "/v2/accounts/1/transfers?page[size]=10",
      ({ headers, text }) => {
        expect(text).toMatch(/^\{"items":\[.*\]\}$/);
        return /^<(https:\/\/localhost\/[^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
      },
    );
    expect([links.length, rows.length]).toEqual([2, 25]);
  });

  it.each([
    ["/a", "/a?c=X"],
    ["/a?", "/a?c=X"],
    ["/a?c=old&b=1", "/a?b=1&c=X"],
    ["/a?b=1&&%63=old&c", "/a?b=1&c=X"],
    ["/a?b=%zz&b=%2", "/a?b=%25zz&b=%252&c=X"],
    ['/a?b[]=">\u00e9<,|', "/a?b%5B%5D=%22%3E%C3%A9%3C,%7C&c=X"],
  ])("keeps the other parameters, encoded as in a URL: %s", (target, expected) => {
    expect(nextPageTarget(target, "c", "X")).toBe(expected);
  });
});
