import { describe, expect, it } from "vitest";
import { answerOf, type Observation } from "../../../src/imitate/calibrate/answer.js";
import { editsOf, isDrift } from "../../../src/imitate/calibrate/findings.js";
import { withoutSecrets } from "../../../src/imitate/calibrate/secrets.js";
import { SeenAnswers } from "../../../src/imitate/calibrate/seen-answers.js";
import { findingsText } from "../../../src/imitate/calibrate/table.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { answer, learned, refusal, rows, token, walked } from "./learned.js";

// What a service answers that is easy to misread, and what is learnt from it.

describe("a list", () => {
  it("whose pages are silently smaller than asked for has that limit, also without dates", async () => {
    const { list, sent } = await learned({ list: walked(50) });
    expect(list("pageSize")).toMatchObject({ default: 10, maximum: 50, beyond: "lower" });
    expect(list("parameters")).toMatchObject({ pageSize: "limit", cursor: "cursor", fromCreatedAt: null });
    const sizes = sent.map(({ path }) => Number(new URL(path, "https://host").searchParams.get("limit")));
    expect(Math.max(...sizes.filter(Number.isInteger))).toBeLessThan(10_000);
  });

  it.each([
    [20_000, 3],
    [100_000_000, 0],
    [1e15, 0],
  ])(
    "with a total of %d and rows %d years apart is written, within what the sandbox can imitate",
    async (total, years) => {
      const { list, run } = await learned({ list: walked(50, { total, years }) });
      expect(run.stopped).toBeUndefined();
      expect(list("envelope")).toMatchObject({ items: "items", nextCursor: "nextCursor", total: "total" });
      expect(Number(list("count"))).toBeLessThanOrEqual(Math.min(total, 1_000_000));
    },
  );

  it("with a member that has a dot in its name, beside one without, is written", async () => {
    const { list, findings } = await learned({
      list: (parameters) =>
        answer(200, { items: rows(5), next: parameters.has("next") ? null : "abc", "next.cursor": "abc" }),
    });
    expect(list("envelope")).toMatchObject({ items: "items", nextCursor: "next" });
    expect(findings.settings.length).toBeGreaterThan(0);
  });

  it("that refuses unknown parameters has neither page size nor filters", async () => {
    const { list } = await learned({
      list: (parameters) =>
        [...parameters].length > 0 ? refusal(400, "UNKNOWN_PARAMETER") : answer(200, { items: rows(10) }),
    });
    expect(list("parameters")).toMatchObject({ pageSize: null, fromCreatedAt: null, toCreatedAt: null });
    expect(list("pageSize")).not.toMatchObject({ minimum: 10 });
    expect(list("filters")).toEqual({});
  });

  it.each(["ignore", "refuse"])(
    "may treat unknown parameters in another way than ping, which does %s them",
    async (value) => {
      const answerOf = (isIgnored: boolean, names: readonly string[]) =>
        isIgnored || names.length === 0 ? answer(200, { items: rows(3) }) : refusal(400, "UNKNOWN_PARAMETER");
      const { settings, list } = await learned({
        ping: ({ path }) => (path.includes("calibrateUnknown") ? answerOf(value === "ignore", ["x"]) : answer(200)),
        list: (parameters) => answerOf(value === "refuse", [...parameters.keys()]),
      });
      expect(settings["request.unknown-parameters"]).toBe(value);
      expect(list("unknownParameters")).toBe(value === "ignore" ? "refuse" : "ignore");
    },
  );

  it("that says there is more, and has no cursor, does not make a walk without end", async () => {
    const { list } = await learned({ list: () => answer(200, { items: rows(3), has_more: true }) });
    expect(list("envelope")).toMatchObject({ nextCursor: null, extra: { has_more: false } });
    expect(list("pageSize")).toMatchObject({ default: 3 });
    expect(list("count")).toBeUndefined();
  });

  it("whose last cursor is an empty text has its flag and its total, whatever they are named", async () => {
    const { list } = await learned({
      list: (parameters) => {
        const start = Number(parameters.get("cursor") ?? 0);
        const isLast = start + 10 >= 23;
        const meta = { next: isLast ? "" : String(start + 10), hasMore: !isLast, rows: 23 };
        return answer(200, { result: rows(23).slice(start, start + 10), meta });
      },
    });
    expect(list("envelope")).toMatchObject({ lastCursor: "empty", hasMore: "meta.hasMore" });
    expect(list("envelope")).not.toHaveProperty("count");
    expect(list("envelope")).not.toMatchObject({ extra: { "meta.hasMore": false } });
  });

  it("with numbers of pages that nothing shows has the size of its page, and no number of rows", async () => {
    const { list } = await learned({
      list: (parameters) => {
        const [page, size] = [Number(parameters.get("page") ?? 1), Number(parameters.get("per_page") ?? 8)];
        if (!(page >= 1 && size >= 1 && size <= 50)) return refusal(400, "BAD_PAGE");
        return answer(200, JSON.stringify(rows(131).slice(page * size - size, page * size)));
      },
    });
    expect(list("pageSize")).toMatchObject({ default: 8, maximum: 50 });
    expect(list("count")).toBeUndefined();
  });

  it("with the id of a row as cursor has no number of rows that an answer contradicts, and it is said", async () => {
    const all = rows(23);
    const { list, findings } = await learned({
      list: (parameters) => {
        const after = parameters.get("starting_after");
        const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
        if (after !== null && start === 0) return refusal(400, "NO_SUCH_ROW");
        return answer(200, { data: all.slice(start, start + 10), has_more: start + 10 < all.length });
      },
    });
    expect(list("parameters")).toMatchObject({ cursor: "starting_after" });
    expect(list("count")).toBeUndefined();
    expect(findings.remarks.map(({ text }) => text).join()).toMatch(/the row whose id is in starting_after/);
  });

  it("with page numbers in its links is walked to its end", async () => {
    const all = rows(23);
    const { list, findings } = await learned({
      list: (parameters) => {
        const page = Number(parameters.get("page") ?? 1);
        const next = page * 10 < all.length ? { Next: `https://bank.example/v1/things?page=${page + 1}` } : {};
        return answer(200, { Data: { Thing: all.slice(page * 10 - 10, page * 10) }, Links: { Self: "/x", ...next } });
      },
    });
    expect(list("count")).toBe(23);
    expect(list("envelope")).toMatchObject({ items: "Data.Thing", nextLink: "Links.Next", lastCursor: "omit" });
    expect(findings.remarks.map(({ text }) => text).join()).toMatch(/with a number in page;/);
  });

  it.each([
    ["page", (value: number) => value * 5 - 5],
    ["offset", (value: number) => value],
  ])("with numbers in %s, which no link shows, has them named", async (name, startOf) => {
    const { list, findings } = await learned({
      list: (parameters) => {
        const start = parameters.has(name) ? startOf(Number(parameters.get(name))) : 0;
        return answer(200, { items: rows(23).slice(start, start + 5), total: 23 });
      },
    });
    expect(list("count")).toBe(23);
    expect(findings.remarks.map(({ text }) => text)).toContainEqual(
      `The next page is requested with a number in ${name}; the sandbox has cursors only.`,
    );
  });

  it("whose links name its parameters is requested with them", async () => {
    const { list } = await learned({
      list: (parameters) => {
        const unknown = [...parameters.keys()].some((name) => !/^page\[(size|after)\]$/.test(name));
        const [size, start] = [Number(parameters.get("page[size]") ?? 5), Number(parameters.get("page[after]") ?? 0)];
        if (unknown || !(size > 0) || size > 30) return refusal(400, unknown ? "UNKNOWN" : "SIZE");
        const next = `https://bank.example/v1/things?page%5Bafter%5D=${start + size}&page%5Bsize%5D=${size}`;
        const isLast = start + size >= 12;
        return answer(200, { data: rows(12).slice(start, start + size), links: { next: isLast ? null : next } });
      },
    });
    expect(list("parameters")).toMatchObject({ pageSize: "page[size]", cursor: "page[after]" });
    expect(list("pageSize")).toMatchObject({ default: 5, minimum: 1, maximum: 30 });
    expect(list("count")).toBe(12);
  });

  it("that checks a page size without using it does not have the parameter", async () => {
    const { list } = await learned({
      list: (parameters) =>
        /^\d*$/.test(parameters.get("limit") ?? "") ? answer(200, { items: rows(4) }) : refusal(400, "BAD_LIMIT"),
    });
    expect(list("parameters")).toMatchObject({ pageSize: null });
  });

  it("whose bounds are named after the date of its rows is requested with them", async () => {
    const { list } = await learned({
      list: (parameters) => {
        const [from, to] = ["fromBookedOn", "toBookedOn"].map((name) => parameters.get(name));
        const [start, end] = [Date.parse(from ?? "1900-01-01"), Date.parse(to ?? "2999-12-31")];
        if (Number.isNaN(start) || Number.isNaN(end)) return refusal(400, "DATE");
        const all = rows(9).map(({ createdAt, id }) => ({ id, bookedOn: createdAt }));
        const isInside = (at: number) => at >= start && at <= end;
        return answer(200, { items: all.filter(({ bookedOn }) => isInside(Date.parse(bookedOn))) });
      },
    });
    expect(list("parameters")).toMatchObject({ fromCreatedAt: "fromBookedOn", toCreatedAt: "toBookedOn" });
  });

  it("that finds nothing for a parameter that it does not understand has no dates", async () => {
    const { list } = await learned({
      list: (parameters) => answer(200, { items: parameters.has("from") ? [] : rows(9) }),
    });
    expect(list("parameters")).toMatchObject({ fromCreatedAt: null, toCreatedAt: null });
  });

  it("whose rows are made at random for each request shows neither a page size nor a cursor", async () => {
    let made = 0;
    const { list } = await learned({
      list: () => {
        made += 1;
        return answer(200, { items: rows(9 - (made % 3), made * 100).reverse(), next: `c-${made}` });
      },
    });
    expect(list("parameters")).toMatchObject({ pageSize: null });
    expect(list("parameters")).not.toHaveProperty("cursor");
    expect(list("pageSize")).not.toHaveProperty("maximum");
    expect(list("count")).toBeUndefined();
  });

  it("without a limit of the page size that an answer shows refuses no size in the sandbox, and it is said", async () => {
    const { list, findings } = await learned({
      list: (parameters) => {
        const size = Number(parameters.get("limit") ?? 10);
        return size > 0 ? answer(200, { items: rows(5000).slice(0, size) }) : refusal(400, "INVALID_PAGE_SIZE");
      },
    });
    expect(list("pageSize")).toEqual({ minimum: 1, maximum: 1000, beyond: "lower" });
    expect(findings.settings.find(({ reading: { place } }) => place[2] === "pageSize")?.reading.certainty).toBe(
      "guess",
    );
    expect(findings.remarks.map(({ text }) => text).join()).toContain(
      "up to 1000 were answered, and no limit was seen",
    );
  });

  /** Pages without a cursor and without dates, of any size up to `most`. */
  const unlimited =
    (most = 5000) =>
    (parameters: URLSearchParams) => {
      const size = Number(parameters.get("limit") ?? 10);
      const isGood = size > 0 && size <= most;
      return isGood
        ? answer(200, {
            items: rows(5000)
              .slice(0, size)
              .map(({ id }) => ({ id })),
          })
        : refusal(400, "INVALID_PAGE_SIZE");
    };

  it("keeps the documented largest page size that no answer contradicts", { tags: "slow" }, async () => {
    const documented = (maximum: number) => ({ parameters: { pageSize: "limit" }, pageSize: { maximum } });
    const { list, findings } = await learned({ list: unlimited() }, {}, documented(5000));
    expect(list("pageSize")).toEqual({ minimum: 1, maximum: 5000 });
    expect(findings.remarks.map(({ text }) => text).join()).not.toContain("no limit was seen");
    const contradicted = await learned({ list: unlimited() }, {}, documented(500));
    expect(contradicted.list("pageSize")).toEqual({ minimum: 1, maximum: 1000, beyond: "lower" });
  });

  it.each([
    [{ maximum: 5000 }, false],
    [{ maximum: 1000, beyond: "lower" }, false],
    [{ maximum: 500 }, true],
    [{ maximum: 5000, minimum: 2 }, true],
  ] as const)(
    "with %o in the file and no limit in its answers has drifted: %s",
    { tags: "slow" },
    async (pageSize, drifted) => {
      const things = { path: "/v1/things", pageSize };
      const { findings } = await learned({ list: unlimited() }, { lists: { things } }, undefined, { things });
      const found = findings.settings.find(({ reading: { place } }) => place[2] === "pageSize");
      expect(found && isDrift(found)).toBe(drifted);
      const configuration = { ...emptyFile, lists: { things } };
      const written = editsOf(findings, configuration).find(({ path }) => path[2] === "pageSize")?.value;
      if (pageSize.maximum === 5000) expect(written).toEqual({ minimum: 1, maximum: 5000 });
      else expect(written).toEqual({ minimum: 1, maximum: 1000, beyond: "lower" });
    },
  );

  it("without rows now has not drifted from the rows in the file: what the document says is a guess", async () => {
    const own = { fields: { id: { type: "uuid" } }, dateField: null } as const;
    const documented = { fields: { key: { type: "uuid" }, at: { type: "createdAt" } }, dateField: "at" } as const;
    const things = { path: "/v1/things", ...own };
    const { findings } = await learned({ list: () => answer(200, { items: [] }) }, { lists: { things } }, documented, {
      things,
    });
    const drifted = findings.settings.filter(isDrift).map(({ reading: { place } }) => place[2]);
    expect(drifted).not.toContain("fields");
    expect(drifted).not.toContain("dateField");
  });

  it("that lowered large page sizes and now refuses them has drifted", { tags: "slow" }, async () => {
    const things = { path: "/v1/things", pageSize: { maximum: 100, beyond: "lower" } } as const;
    const { list, findings } = await learned({ list: unlimited(100) }, { lists: { things } }, undefined, { things });
    expect(list("pageSize")).toEqual({ minimum: 1, maximum: 100, beyond: "refuse" });
    expect(findings.settings.filter(isDrift).map(({ reading: { place } }) => place[2])).toContain("pageSize");
  });

  it("with fewer rows than the sandbox has on a page, and a lower limit, has a usual size within that limit", async () => {
    const { list } = await learned({
      list: (parameters) => {
        const size = Number(parameters.get("limit") ?? 3);
        return size > 0 && size <= 5
          ? answer(200, { items: rows(3).slice(0, size) })
          : refusal(400, "INVALID_PAGE_SIZE");
      },
    });
    expect(list("pageSize")).toEqual({ default: 5, minimum: 1, maximum: 5, beyond: "refuse" });
  });

  it("whose documented date parameter has no effect does not have it", async () => {
    const documented = { parameters: { fromCreatedAt: "bookedSince", toCreatedAt: "bookedUntil" } };
    const { list, sent } = await learned({ list: () => answer(200, { items: rows(9) }) }, {}, documented);
    expect(sent.map(({ path }) => path)).toContainEqual(expect.stringMatching(/bookedSince=2999/));
    expect(list("parameters")).toMatchObject({ fromCreatedAt: null, toCreatedAt: null });
  });

  it("that answers a page size of 0 has no smallest one that its answers contradict", async () => {
    const { list } = await learned({
      list: (parameters) => answer(200, { items: rows(12).slice(0, Number(parameters.get("limit") ?? 12)) }),
    });
    expect(list("parameters")).toMatchObject({ pageSize: "limit" });
    expect(list("pageSize")).not.toHaveProperty("minimum");
  });

  it("whose cursor never changes does not make a walk without end", async () => {
    const { run, list } = await learned({ list: () => answer(200, { items: rows(3), nextCursor: "same" }) });
    expect(run.sent).toBeLessThan(100);
    expect(list("count")).toBeUndefined();
  });
});

it("what is written is said: a number of rows that differs is not the same", async () => {
  const { findings } = await learned({ list: walked(50, { total: 137 }) });
  expect(findingsText(findings, true)).toMatch(/^ {2}lists\.things\.count: was absent, is 137 \(likely\)$/m);
});

describe("hostile answers", () => {
  it("a body of 50,000 levels, and members with the names of an object's own, are read to the end", async () => {
    const deep = `{"items":[{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}]}`;
    const { run, settings } = await learned({
      ping: () => answer(200, '{"__proto__":{"polluted":true},"constructor":1}'),
      list: () => answer(200, deep),
    });
    expect(run.stopped).toBeUndefined();
    expect(JSON.stringify(settings).length).toBeLessThan(100_000);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("a challenge that repeats the token and a cookie is written without them", async () => {
    const challenge =
      'Bearer error="invalid_token", error_description="s3cr3t-opaque-token", realm="s3cr3t-cookie-value"';
    const { settings } = await learned({
      token: () => token({ access_token: "s3cr3t-opaque-token" }),
      ping: ({ identity }) =>
        identity === "client"
          ? answer(200, {}, { "set-cookie": "session=s3cr3t-cookie-value; Secure" })
          : answer(401, { code: "NOT_YOURS", message: "?" }, { "www-authenticate": challenge }),
    });
    expect(settings["bearer.other-certificate"]).toMatchObject({ status: 401, code: "NOT_YOURS" });
    expect(JSON.stringify(settings)).not.toContain("s3cr3t");
  });
});

it("an error that has the client id, or a value of a path, as the name of a member is printed without it", () => {
  const list = listTargets(["/accounts/{account=DE-ABC-77}/things"])[0] ?? expect.fail();
  const options = { clientId: "acme-77", scope: "read", lists: [list], other: false, newId: () => "" };
  const body = { errors: [{ "/accounts/DE-ABC-77": "No.", "client acme-77": ["No."], code: "NO" }] };
  const observation: Observation = {
    step: { id: "ping.plain", says: "ping" },
    request: { method: "GET", path: "/v1/ping", headers: {}, identity: "client" },
    outcome: answer(403, body),
  };
  const { seen } = withoutSecrets(new SeenAnswers(options, new Map([["ping.plain", observation]])));
  const text = JSON.stringify([...seen.values()].map(({ outcome }) => answerOf(outcome)?.text));
  expect(text).toContain("NO");
  expect(text).not.toMatch(/ABC|acme/);
});

describe("ping and tokens", () => {
  it("where there is no ping, its 404 is no refusal of a token: what a list answers is", async () => {
    const { settings } = await learned({
      ping: () => refusal(404, "NO_ROUTE"),
      list: () => answer(200, { items: rows(3) }),
      access: ({ headers, identity }) => {
        const sent = headers["Authorization"];
        if (sent === undefined) return refusal(401, "WHO");
        return sent === "Bearer secret" && identity === "client" ? undefined : refusal(403, "WRONG");
      },
    });
    expect(settings).toMatchObject({
      "bearer.missing-token": { status: 401, code: "WHO" },
      "bearer.invalid-token": { status: 403, code: "WRONG" },
      "bearer.other-certificate": { status: 403, code: "WRONG" },
      "http.not-found": { status: 404, code: "NOT_FOUND" },
    });
    expect(JSON.stringify(settings)).not.toContain("NO_ROUTE");
  });

  it("a token request to another path ends it, and the advice names the flag", async () => {
    const { run } = await learned({ token: () => refusal(404, "NOT_FOUND") });
    expect(run.stopped).toMatch(/check the path of --url; the token endpoint is at \/oauth/);
  });

  const issued = { access_token: "secret", token_type: "Bearer", expires_in: 60 };
  it.each([
    ["with status 201", answer(201, issued)],
    ["in another object", answer(200, { data: issued })],
    ["behind a byte order mark", answer(200, `\uFEFF${JSON.stringify(issued)}`)],
  ])("a token %s is one", async (_what, outcome) => {
    const { run, sent } = await learned({ token: () => outcome });
    expect(run.stopped).toBeUndefined();
    expect(sent.filter(({ headers }) => headers["Authorization"] === "Bearer secret").length).toBeGreaterThan(5);
  });

  it("tokens that are no longer bound to their certificate differ from a file that says so", async () => {
    const written = { assumptions: { "bearer.other-certificate": { status: 401 } } };
    const { findings } = await learned({ ping: () => answer(200) }, written);
    const found = findings.settings.find(({ reading: { place } }) => place[1] === "bearer.other-certificate");
    expect(found && isDrift(found)).toBe(true);
  });

  it("a ping with 204 is a setting of the sandbox or no difference, and not a 404", async () => {
    const { settings } = await learned({ ping: () => answer(204, "") });
    expect(JSON.stringify(settings["ping.response"] ?? null)).not.toMatch(/404/);
  });

  it("a lifetime as text is one: the token is renewed before its end", async () => {
    const { sent, settings } = await learned({ token: () => token({ expires_in: "20" }), list: walked(50) });
    const issued = sent.filter(
      ({ method, body }) => method === "POST" && body?.includes("grant_type=client_credentials"),
    );
    const { sent: sentOnce } = await learned({ token: () => token({ expires_in: "86400" }), list: walked(50) });
    const once = sentOnce.filter(
      ({ method, body }) => method === "POST" && body?.includes("grant_type=client_credentials"),
    );
    expect(issued.length).toBeGreaterThan(once.length);
    expect(JSON.stringify(settings)).toMatch(/"token\.lifetime":20,"token\.expires-in":"text"/);
  });

  it("an identifier that is not the request's is no correlation ID", async () => {
    const { settings } = await learned({
      ping: () => answer(200, {}, { "Matched-Stub-Id": "0a9c7a0e-1a1c-4a5e-9d63-8a4b0e3d1c11" }),
    });
    expect(settings["correlation.header"]).not.toBe("Matched-Stub-Id");
  });
});
