import { describe, expect, it } from "vitest";
import type { ProbeRequest, Reply } from "../../../src/imitate/calibrate/answer.js";
import { answer, learned, refusal, rows, token } from "./learned.js";

// Settings that some answers suggest and others refute: each as a kind, and its opposite.

/** A list of 60 rows with a cursor, whose page size is `limit`, and with one more member. */
const sized =
  (extra: (size: number, found: number) => Readonly<Record<string, unknown>>, smallest = 1) =>
  (parameters: URLSearchParams): Reply => {
    const asked = parameters.get("limit");
    if (asked !== null && !/^\d+$/.test(asked)) return refusal(400, "INVALID_PAGE_SIZE");
    const size = Math.min(Math.max(Number(asked ?? 25), smallest), 50);
    const start = Number(parameters.get("cursor") ?? 0);
    if (!Number.isInteger(start)) return refusal(400, "INVALID_CURSOR");
    const items = rows(60).slice(start, start + size);
    const more = start + size < 60 ? { nextCursor: String(start + size) } : {};
    return answer(200, { items, ...more, ...extra(size, items.length) });
  };

describe("a page that is an array alone", () => {
  const arrays =
    (headers: (next: string, size: number) => Readonly<Record<string, string>>) =>
    (parameters: URLSearchParams): Reply => {
      const size = Math.min(Number(parameters.get("limit") ?? 25), 50);
      const start = Number(parameters.get("after") ?? 0);
      if (!Number.isInteger(start)) return refusal(400, "INVALID_CURSOR");
      const end = start + size;
      return answer(200, rows(60).slice(start, end), end < 60 ? headers(String(end), size) : {});
    };

  it.each([
    ["X-After-Cursor", (next: string) => ({ "X-After-Cursor": next }), { cursorHeader: "X-After-Cursor" }],
    [
      "Link",
      (next: string, size: number) => ({ link: `</v1/things?limit=${size}&after=${next}>; rel="next"` }),
      { linkHeader: true, linkForm: "path" },
    ],
    [
      "Link, and the number of the next page",
      (next: string) => ({ link: `<https://host/v1/things?after=${next}>; rel="next"`, "X-Next-Page": "2" }),
      { linkHeader: true },
    ],
    ["none", () => ({ "Retry-After": "1", "X-Total-Count": "60" }), { nextCursor: null }],
  ])("leads on by its header: %s", async (_what, headers, settings) => {
    const { list, remarks } = await learned({ list: arrays(headers) });
    expect(list("envelope")).toEqual({ items: null, ...settings });
    expect(remarks.join()).not.toContain("array");
    if (!("nextCursor" in settings)) expect(list("parameters")).toMatchObject({ cursor: "after", pageSize: "limit" });
  });

  it("of which only one was seen has the header of the document", async () => {
    const { list } = await learned(
      { list: () => answer(200, rows(3)) },
      {},
      {
        envelope: { items: null, cursorHeader: "X-Next" },
      },
    );
    expect(list("envelope")).toEqual({ items: null, cursorHeader: "X-Next" });
  });
});

describe("a number beside the rows", () => {
  it.each(["pageSize", "page_size", "limit", "perPage", "size", "resultSize", "count", "length"])(
    "that is always the usual size is not the total, if it is %s",
    async (name) => {
      const { list } = await learned({ list: sized(() => ({ [name]: 25 })) });
      expect(list("envelope")).not.toHaveProperty("total");
      expect(list("envelope")).not.toHaveProperty("pageSize");
      expect(list("envelope")).toMatchObject({ extra: { [name]: 25 } });
      expect(list("count")).toBe(60);
    },
  );

  it.each(["pageSize", "limit"])("that is the largest size is not the total, if it is %s", async (name) => {
    const { list } = await learned({ list: sized(() => ({ [name]: 50 })) });
    expect(list("envelope")).not.toHaveProperty("total");
    expect(list("count")).toBe(60);
  });

  it("that is the size of every page is the page size, and another number is not", async () => {
    const fixed = (pageSize: number) => (parameters: URLSearchParams) => {
      const start = Number(parameters.get("cursor") ?? 0);
      const items = rows(60).slice(start, start + 25);
      return answer(200, { items, ...(start + 25 < 60 && { nextCursor: String(start + 25) }), pageSize });
    };
    const [same, other] = [await learned({ list: fixed(25) }), await learned({ list: fixed(50) })];
    expect(same.list("envelope")).toMatchObject({ pageSize: "pageSize" });
    expect(other.list("envelope")).toMatchObject({ extra: { pageSize: 50 } });
    for (const { list } of [same, other]) {
      expect(list("envelope")).not.toHaveProperty("total");
      expect(list("pageSize")).toMatchObject({ default: 25 });
      expect(list("count")).toBe(60);
    }
  });

  it("that is the size of the request is the page size, also where a small one is raised", async () => {
    for (const smallest of [1, 5]) {
      const { list } = await learned({ list: sized((size) => ({ limit: size }), smallest) });
      expect(list("envelope")).toMatchObject({ pageSize: "limit" });
      expect(list("count")).toBe(60);
    }
  });

  it.each(["total", "totalSize", "count", "resultSize", "size"])(
    "that is the number of all rows is the total, if it is %s",
    async (name) => {
      const { list } = await learned({ list: sized(() => ({ [name]: 60 })) });
      expect(list("envelope")).toMatchObject({ total: name });
      expect(list("count")).toBe(60);
    },
  );

  it("that is the number of rows of each page is the count", async () => {
    const { list } = await learned({ list: sized((_, found) => ({ count: found })) });
    expect(list("envelope")).toMatchObject({ count: "count" });
  });
});

describe("a parameter in brackets", () => {
  const paged = (takes: readonly string[]) => (parameters: URLSearchParams) => {
    if ([...parameters.keys()].some((name) => !takes.includes(name))) return refusal(400, "UNKNOWN");
    const size = Number(parameters.get("page[size]") ?? parameters.get("page[limit]") ?? 5);
    const start = Number(parameters.get("page[after]") ?? 0);
    if (!(size > 0 && size <= 30) || !Number.isInteger(start)) return refusal(400, "VALUE");
    const next = start + size < 12 ? { next: `/v1/things?page%5Bafter%5D=${start + size}` } : { next: null };
    return answer(200, { data: rows(12).slice(start, start + size), links: next });
  };

  it.each(["page[size]", "page[limit]"])("a link with page[after] leads to %s", async (name) => {
    const { list } = await learned({ list: paged([name, "page[after]"]) });
    expect(list("parameters")).toMatchObject({ pageSize: name, cursor: "page[after]" });
    expect(list("pageSize")).toMatchObject({ default: 5, maximum: 30 });
  });

  it("a document with page[after] leads to page[size]", async () => {
    const takes = ["page[size]", "page[after]"];
    const documented = { parameters: { cursor: "page[after]" } };
    const withoutLinks = (parameters: URLSearchParams) => {
      const { answer: found } = paged(takes)(parameters) as { answer: { text: string } };
      const { links, data, ...rest } = JSON.parse(found.text);
      const next = /=(\d+)$/.exec(links?.next ?? "")?.[1];
      return data === undefined ? refusal(400, rest.code) : answer(200, { data, next: next ?? null });
    };
    const { list } = await learned({ list: withoutLinks }, {}, documented);
    expect(list("parameters")).toMatchObject({ pageSize: "page[size]", cursor: "page[after]" });
  });

  it("a list without such a parameter has none", async () => {
    const { list } = await learned({ list: paged(["page[after]"]) });
    expect(list("parameters")).toMatchObject({ pageSize: null, cursor: "page[after]" });
  });
});

const formOf = ({ body = "" }: ProbeRequest) => new URLSearchParams(body);

describe("a refusal is certain", () => {
  const refuses = (faults: (form: URLSearchParams) => string | undefined) => (request: ProbeRequest) => {
    const fault = faults(formOf(request));
    return fault === undefined ? token() : answer(400, { code: fault, message: "No.", error: fault.toLowerCase() });
  };
  const names = ["grant_type", "client_id", "scope"];
  const strict = (form: URLSearchParams) =>
    names.some((name) => form.getAll(name).length !== 1) ? "INVALID_REQUEST" : undefined;

  it("where every request that the sandbox refuses by it gets it", async () => {
    const { certainty, settings } = await learned({ token: refuses(strict) });
    expect(settings["token.invalid-request"]).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
    expect(certainty("token.invalid-request")).toBe("certain");
  });

  it.each<[string, (form: URLSearchParams) => string | undefined]>([
    ["a missing client_id gets another", (form) => (form.has("client_id") ? strict(form) : "INVALID_CLIENT")],
    ["a repeated client_id gets another", (form) => (form.getAll("client_id").length > 1 ? "TWICE" : strict(form))],
    ["a repeated client_id is accepted", (form) => (form.getAll("client_id").length > 1 ? undefined : strict(form))],
    ["a repeated scope is accepted", (form) => (form.getAll("scope").length > 1 ? undefined : strict(form))],
  ])("and not where %s", async (_what, faults) => {
    const { certainty, settings } = await learned({ token: refuses(faults) });
    expect(settings["token.invalid-request"]).toMatchObject({ code: "INVALID_REQUEST" });
    expect(certainty("token.invalid-request")).toBe("likely");
  });

  it("of a token only if lists refuse as ping does", async () => {
    const withPing = (code: string) =>
      learned({
        ping: ({ headers }) => (/^Bearer ./.test(headers["Authorization"] ?? "") ? answer(200) : refusal(401, "WHO")),
        list: () => answer(200, { items: rows(3) }),
        access: ({ headers }) => (headers["Authorization"] ? undefined : refusal(401, code)),
      });
    const [same, other] = [await withPing("WHO"), await withPing("LOGIN")];
    expect([same, other].map(({ settings }) => settings["bearer.missing-token"])).toEqual([
      expect.objectContaining({ code: "WHO" }),
      expect.objectContaining({ code: "WHO" }),
    ]);
    expect([same, other].map(({ certainty }) => certainty("bearer.missing-token"))).toEqual(["certain", "likely"]);
  });

  it("and the order of rows only if every page has it", async () => {
    const pages = (second: readonly object[]) => (parameters: URLSearchParams) =>
      answer(200, parameters.get("cursor") === "c" ? { items: second } : { items: rows(5), nextCursor: "c" });
    const same = await learned({ list: pages(rows(5, 5)) });
    const other = await learned({ list: pages(rows(5, 5).toReversed()) });
    const found = [same, other].map(({ certainty }) => certainty("things.order"));
    expect(found).toEqual(["certain", "likely"]);
    expect(same.list("order")).toBe("newest-first");
  });

  it("and the end of a list only if every last page shows it in the same way", async () => {
    const ends = (last: object) => (parameters: URLSearchParams) => {
      if (parameters.has("from")) return answer(200, { items: [], nextCursor: null });
      return answer(
        200,
        parameters.get("cursor") === "c" ? { items: rows(5, 5), ...last } : { items: rows(5), nextCursor: "c" },
      );
    };
    const [same, other] = [await learned({ list: ends({ nextCursor: null }) }), await learned({ list: ends({}) })];
    expect([same, other].map(({ certainty }) => certainty("things.envelope"))).toEqual(["certain", "likely"]);
  });

  it("and parameters only if all of them were found", async () => {
    const { certainty, list } = await learned({ list: sized(() => ({})) });
    expect(list("parameters")).toMatchObject({ pageSize: "limit", cursor: "cursor", fromCreatedAt: null });
    expect(certainty("things.parameters")).toBe("likely");
  });

  it("and a single answer makes nothing certain", async () => {
    const { certainty } = await learned({});
    expect(certainty("token.lifetime")).toBe("likely");
    expect(certainty("http.not-found")).toBe("likely");
  });
});

describe("what the service accepts and the sandbox refuses", () => {
  const said = "The service accepts";

  it("is said for a token of another certificate, an unknown client and an unknown scope", async () => {
    const { remarks } = await learned({ token: () => token() });
    expect(remarks).toContainEqual(
      `${said} ping with a token and no certificate, and ping with the token of another certificate; the sandbox refuses that.`,
    );
    expect(remarks.filter((text) => text.startsWith(said)).join()).toMatch(
      /a token request with an unknown client_id.*a token request with an unknown scope/s,
    );
  });

  it("is said beside the refusal of another request", async () => {
    const { remarks, settings, certainty } = await learned({
      token: (request) =>
        formOf(request).get("scope") === "read" || !formOf(request).has("scope") ? token() : refusal(400, "SCOPE"),
    });
    expect(settings["token.invalid-scope"]).toMatchObject({ code: "SCOPE" });
    expect(certainty("token.invalid-scope")).toBe("likely");
    expect(remarks).toContain(`${said} a token request without scope; the sandbox refuses that.`);
  });

  it("is not said where the service refuses it, too", async () => {
    const { remarks } = await learned({
      ping: ({ identity, headers }) =>
        identity === "client" && headers["Authorization"] === "Bearer secret" ? answer(200) : refusal(401, "NO"),
      token: (request) =>
        formOf(request).get("scope") === "read" &&
        formOf(request).get("client_id") === "acme" &&
        request.identity === "client"
          ? token()
          : refusal(400, "NO"),
    });
    expect(remarks.filter((text) => /token of another certificate|unknown client_id|unknown scope/.test(text))).toEqual(
      [],
    );
  });
});

describe("a token endpoint", () => {
  const taking = (type: string) => (request: ProbeRequest) => {
    const { headers, body = "" } = request;
    if (headers["Content-Type"] !== type) return refusal(415, "MEDIA_TYPE");
    const sent = type.endsWith("json") ? JSON.parse(body) : Object.fromEntries(formOf(request));
    if (sent.client_id !== "acme") return refusal(401, "NO_CLIENT");
    return sent.grant_type === "client_credentials" ? token() : refusal(400, "NO_GRANT");
  };
  const named = "The token endpoint takes only JSON; a client of this interface sends a form (§2.1).";

  it("that takes only JSON is named, and is learnt with JSON", async () => {
    const { run, remarks, settings } = await learned({ token: taking("application/json") });
    expect(run.stopped).toBeUndefined();
    expect(remarks).toContain(named);
    expect(settings).toMatchObject({
      "token.json-body": "accept",
      "token.invalid-client": { status: 401, code: "NO_CLIENT" },
      "token.unsupported-grant-type": { status: 400, code: "NO_GRANT" },
      "token.lifetime": 300,
    });
  });

  it("that takes forms is not, and gets no JSON", async () => {
    const { remarks, settings, sent } = await learned({ token: taking("application/x-www-form-urlencoded") });
    expect(remarks).not.toContain(named);
    expect(settings).not.toHaveProperty("token.json-body");
    expect(sent.filter(({ headers }) => headers["Content-Type"]?.endsWith("json"))).toEqual([]);
  });

  it("that takes neither issues no token", async () => {
    const { run } = await learned({ token: () => refusal(415, "MEDIA_TYPE") });
    expect(run.stopped).toMatch(/^The service issued no token \(status 415\)/);
  });
});
