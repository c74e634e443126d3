import { describe, expect, it } from "vitest";
import { renderEnvelope } from "../../../src/sandbox/lists/envelope.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { takePage } from "../../../src/sandbox/lists/page.js";
import type { EnvelopeSettings } from "../../../src/sandbox/lists/settings.js";
import { ask, query, walk } from "./walking.js";

const listWith = (envelope: EnvelopeSettings) =>
  compileList("x", { count: 3, fields: { n: { type: "text", template: "{number}" } }, dateField: null, envelope });

describe("the envelope", () => {
  it("is items and nextCursor, without nextCursor on the last page", () => {
    const first = ask(listWith({}), { pageSize: "2" });
    expect(first.body).toBe(`{"items":[{"n":"3"},{"n":"2"}],"nextCursor":"${first.cursor}"}`);
    expect(ask(listWith({}), { pageSize: "2", cursor: first.cursor as string }).body).toBe('{"items":[{"n":"1"}]}');
    expect(ask(listWith({}), { pageSize: "3" }).cursor).toBeUndefined();
  });

  it("can have null instead", () => {
    expect(ask(listWith({ lastCursor: "null" }), {}).body).toContain('],"nextCursor":null}');
  });

  it("has any shape that names can describe", () => {
    const list = listWith({
      items: "data.rows",
      nextCursor: "paging.next",
      hasMore: "paging.more",
      pageSize: "paging.limit",
      count: "data.count",
      total: "data.total",
      extra: { object: "list", "paging.links": { self: null } },
    });
    const { body, cursor } = ask(list, { pageSize: "2" });
    expect(JSON.parse(body)).toEqual({
      data: { rows: [{ n: "3" }, { n: "2" }], count: 2, total: 3 },
      paging: { next: cursor, more: true, limit: 2, links: { self: null } },
      object: "list",
    });
    const last = JSON.parse(ask(list, { pageSize: "2", cursor: cursor as string }).body);
    expect(last.paging).toEqual({ more: false, limit: 2, links: { self: null } });
    expect(last.data).toMatchObject({ count: 1, total: 3 });
  });

  it("counts pages: the number of this one, and how many there are at this size, with filters too", () => {
    const fields = { on: { type: "boolean" } } as const;
    const envelope = { page: "page", pages: "meta.pages" };
    const list = compileList("x", { count: 50, fields, filters: { on: "on" }, dateField: null, envelope });
    const counts = (parameters: Readonly<Record<string, string>>) => {
      const all: unknown[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined; ) {
        const answer = ask(list, { ...parameters, ...(cursor === "" ? {} : { cursor }) });
        const { page, meta } = JSON.parse(answer.body);
        all.push([page, meta.pages]);
        cursor = answer.cursor;
      }
      return all;
    };
    expect(counts({ pageSize: "20" })).toEqual([1, 2, 3].map((page) => [page, 3]));
    const filtered = counts({ pageSize: "20", on: "true" });
    expect(filtered).toEqual(filtered.map((_, index) => [index + 1, filtered.length]));
    expect(filtered).toHaveLength(2);
    expect(counts({ pageSize: "50" })).toEqual([[1, 1]]);
  });

  it("keeps an object that contained only the cursor", () => {
    expect(ask(listWith({ nextCursor: "paging.next" }), {}).body).toMatch(/\],"paging":\{\}\}$/);
  });

  it("has a link instead of the cursor, or in addition to it, and neither on the last page", () => {
    const bodies = (envelope: EnvelopeSettings) => {
      const list = listWith(envelope);
      const page = { ...takePage(list, query(list, {})), json: "" };
      return [renderEnvelope(list.envelope, page, "C", "/x?cursor=C"), renderEnvelope(list.envelope, page, undefined)];
    };
    expect(bodies({ nextLink: "links.next" })).toEqual([
      '{"items":[],"links":{"next":"/x?cursor=C"}}',
      '{"items":[],"links":{}}',
    ]);
    expect(bodies({ nextLink: "links.next", lastCursor: "null" })[1]).toBe('{"items":[],"links":{"next":null}}');
    expect(bodies({ nextLink: "next", nextCursor: "cursor" })[0]).toBe(
      '{"items":[],"cursor":"C","next":"/x?cursor=C"}',
    );
    expect(bodies({ nextCursor: null, hasMore: "has_more" })).toEqual([
      '{"items":[],"has_more":true}',
      '{"items":[],"has_more":false}',
    ]);
    expect(bodies({ linkHeader: true })).toEqual(['{"items":[]}', '{"items":[]}']);
  });

  it("has a link object completely or not at all", () => {
    const bodies = (lastCursor: "omit" | "null") => {
      const list = listWith({
        nextLink: "_links.next.href",
        lastCursor,
        extra: { "_links.next.type": "application/hal+json", "_links.self": null },
      });
      const page = { ...takePage(list, query(list, {})), json: "" };
      return [renderEnvelope(list.envelope, page, "C", "/x"), renderEnvelope(list.envelope, page, undefined)];
    };
    const first = '{"items":[],"_links":{"next":{"href":"/x","type":"application/hal+json"},"self":null}}';
    expect(bodies("omit")).toEqual([first, '{"items":[],"_links":{"self":null}}']);
    expect(bodies("null")).toEqual([first, '{"items":[],"_links":{"next":null,"self":null}}']);
  });

  it("renders a page that a fault has changed", () => {
    const list = listWith({ hasMore: "more", count: "count" });
    const page = takePage(list, query(list, {}));
    const body = renderEnvelope(list.envelope, { ...page, json: "", count: 0 }, 'any "text"');
    expect(JSON.parse(body)).toEqual({ items: [], nextCursor: 'any "text"', more: true, count: 0 });
  });
});

describe("a list of another service, by configuration only", () => {
  const list = compileList("transfers", {
    path: "/api/accounts/{account}/transfers",
    count: 45,
    order: "oldest-first",
    fields: {
      transfer_id: { type: "id", prefix: "tr_" },
      booked: { type: "boolean", weights: [3, 1] },
      minor_units: { type: "integer", min: 1, max: 999_999 },
      meta: { type: "object", fields: { at: { type: "createdAt" }, account: { type: "parameter", name: "account" } } },
    },
    dateField: "meta.at",
    filters: { "filter[booked]": "booked" },
    parameters: { pageSize: "limit", cursor: "after", fromCreatedAt: "since", toCreatedAt: null },
    pageSize: { default: 20, minimum: 5, maximum: 50 },
    envelope: { items: "data", nextCursor: "page.after", hasMore: "page.has_more", lastCursor: "null" },
  });
  const circumstances = { pathParameters: { account: "DE-1" } };

  it("uses that service's names", () => {
    const first = ask(list, { "filter[booked]": "true", toCreatedAt: "ignored" }, circumstances);
    const body = JSON.parse(first.body);
    expect(body.page).toEqual({ after: first.cursor, has_more: true });
    expect(body.data).toHaveLength(20);
    expect(body.data[0]).toMatchObject({
      transfer_id: expect.stringMatching(/^tr_/),
      booked: true,
      meta: { account: "DE-1" },
    });
    const second = ask(list, { "filter[booked]": "true", after: first.cursor as string }, circumstances);
    expect(JSON.parse(second.body).page).toEqual({ after: null, has_more: false });
    expect(body.data.at(-1).meta.at < JSON.parse(second.body).data[0].meta.at).toBe(true);
  });

  it("names its parameters and filters for routes and documentation", () => {
    expect(list.pathParameters).toEqual(["account"]);
    expect(list.filters).toEqual([{ parameter: "filter[booked]", field: "booked", values: ["true", "false"] }]);
    expect(list.parameters.toCreatedAt).toBeUndefined();
    expect(walk(compileList("y", { count: 0 }), {})).toEqual([[]]);
  });
});
