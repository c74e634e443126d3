import { expect, it } from "vitest";
import type { ProbeRequest, Reply } from "../../../src/imitate/calibrate/answer.js";
import { findingsOf } from "../../../src/imitate/calibrate/findings.js";
import { planOf } from "../../../src/imitate/calibrate/plan.js";
import { type RunOptions, runPlan } from "../../../src/imitate/calibrate/runner.js";
import { type CalibrationOptions, SeenAnswers } from "../../../src/imitate/calibrate/seen-answers.js";
import { listTargets } from "../../../src/imitate/calibrate/targets.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { fastClock } from "./service.js";

const options: CalibrationOptions = { clientId: "acme", scope: "read", lists: [], other: true, newId: () => "id" };

function answer(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    answer: {
      status,
      headers: new Map(Object.entries(headers)),
      names: Object.keys(headers),
      text: JSON.stringify(body),
    },
  };
}

const token = (expires_in = 300) => answer(200, { access_token: "secret", token_type: "bearer", expires_in });

/** Runs the plan against a function. */
async function run(
  reply: (request: ProbeRequest, count: number) => Reply,
  limits: RunOptions = { rate: 2, maxRequests: 150 },
  given: Partial<CalibrationOptions> = {},
) {
  const clock = fastClock();
  const sent: { readonly request: ProbeRequest; readonly at: number }[] = [];
  const transport = {
    send: async (request: ProbeRequest) => {
      sent.push({ request, at: clock.now() });
      return reply(request, sent.length);
    },
  };
  const all = { ...options, ...given };
  const result = await runPlan(planOf(all), all, limits, { transport, clock });
  return {
    ...result,
    requests: sent.map(({ request }) => request),
    times: sent.map(({ at }) => at),
    count: sent.length,
  };
}

const good = ({ method, path }: ProbeRequest) =>
  method === "POST" ? token() : answer(path.includes("no-such") ? 404 : 200);

it("requests start no sooner than the rate permits", async () => {
  const { times } = await run(good, { rate: 4, maxRequests: 20 });
  expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(Array(19).fill(250));
});

it("no more are sent than permitted", async () => {
  const { count, sent, stopped } = await run(good, { rate: 2, maxRequests: 7 });
  expect([count, sent]).toEqual([7, 7]);
  expect(stopped).toBe("7 requests were sent, which is the most that --max-requests permits.");
});

it("after an interruption the results are kept, also while it waits", async () => {
  const ending = new AbortController();
  const { count, sent, seen, stopped } = await run(
    (request, number) => {
      if (number === 5) ending.abort();
      return good(request);
    },
    { rate: 2, maxRequests: 150, signal: ending.signal },
  );
  expect([count, sent, seen.size]).toEqual([5, 5, 5]);
  expect(stopped).toBe("You stopped it.");
});

it("a given correlation header is sent if the token request is refused without it, whatever the refusal says", async () => {
  const { stopped, requests } = await run(
    (request) => (request.headers["X-Ours"] === undefined ? answer(400, { code: "MISSING" }) : good(request)),
    { rate: 2, maxRequests: 150 },
    { correlationHeader: "X-Ours" },
  );
  expect(stopped).toBeUndefined();
  expect(requests[0]?.headers).not.toHaveProperty("X-Ours");
  expect(requests[1]?.headers).toHaveProperty("X-Ours");
});

it("without a token, nothing else is requested", async () => {
  const { count, stopped } = await run(() => answer(400, { code: "INVALID_CLIENT", message: "No." }));
  expect(count).toBe(1);
  expect(stopped).toBe("The service issued no token (status 400): check --client-id, --cert and --scope.");
});

it.each([
  ["seconds", { "retry-after": "20" }, 20_000],
  ["an invalid number", { "retry-after": "-1" }, 60_000],
  ["a fraction", { "retry-after": "3.5" }, 60_000],
  ["a date", { "retry-after": "Sun, 01 Nov 2026 12:01:00 GMT" }, 58_500],
  ["nothing", {}, 60_000],
])(
  "after a 429 that says %s it waits, and sends the request again",
  async (_, headers: Record<string, string>, wait) => {
    const { times, requests, stopped, seen } = await run((request, count) =>
      count === 4 ? answer(429, { code: "SLOW" }, headers) : good(request),
    );
    expect((times[4] ?? 0) - (times[3] ?? 0)).toBe(wait);
    expect(requests[4]).toEqual(requests[3]);
    expect(stopped).toBeUndefined();
    expect([...seen.keys()]).toContain("limit.0");
  },
);

it.each([
  [500, {}, 2000],
  [502, {}, 2000],
  [503, {}, 2000],
  [503, { "retry-after": "20" }, 20_000],
  [504, {}, 2000],
])("after a %d with %j the request is sent again", async (status, headers: Record<string, string>, wait) => {
  const { times, requests, seen } = await run((request, count) =>
    count === 4 ? answer(status, {}, headers) : good(request),
  );
  expect((times[4] ?? 0) - (times[3] ?? 0)).toBe(wait);
  expect(requests[4]).toEqual(requests[3]);
  expect([...seen.values()].filter(({ outcome }) => "answer" in outcome && outcome.answer.status === status)).toEqual(
    [],
  );
});

it("a request that always gets a 500 is sent three times, and the others are sent as well", async () => {
  const { requests, stopped, seen } = await run((request) =>
    request.path.endsWith("no-such-path") ? answer(500) : good(request),
  );
  expect(requests.filter(({ path }) => path.endsWith("no-such-path"))).toHaveLength(3);
  expect(stopped).toBeUndefined();
  expect(new SeenAnswers(options, seen).accepted("http.unknown-path")).toBeUndefined();
});

it("a token that does not fit in a header does not count", async () => {
  const { count, stopped } = await run(() => answer(200, { access_token: "a\r\nX-Other: 1", expires_in: 300 }));
  expect(count).toBe(1);
  expect(stopped).toMatch("The service issued no token (status 200)");
});

it.each([1e308, 31_536_001])("a lifetime of %d seconds is reported, and not written", async (expires_in) => {
  const { seen } = await run((request) => (request.method === "POST" ? token(expires_in) : answer(404)));
  const { settings, remarks } = findingsOf(new SeenAnswers(options, seen), emptyFile, "");
  expect(settings.map(({ reading }) => reading.place[1])).not.toContain("token.lifetime");
  expect(remarks.map(({ text }) => text)).toContain("Tokens are valid for more than a year, which is not imitated.");
});

it("a 429 that requires a wait of hours ends it, and so do three in a row", async () => {
  const hours = await run((request, count) =>
    count === 4 ? answer(429, {}, { "retry-after": "9000" }) : good(request),
  );
  expect([hours.count, hours.stopped]).toEqual([4, "The service asked to wait for 9000 seconds."]);
  const three = await run((request, count) => (count >= 4 ? answer(429, {}, { "retry-after": "1" }) : good(request)));
  const long = await run((request, count) =>
    count === 4 ? answer(429, {}, { "retry-after": "9".repeat(11) }) : good(request),
  );
  expect([long.count, long.stopped]).toEqual([4, "The service asked to wait for 99999999999 seconds."]);
  expect([three.count, three.stopped]).toEqual([6, "3 requests in a row failed, the last with 429."]);
});

it("failures that are not in a row do not end it, and neither do connections that a service refuses", async () => {
  const broken: Reply = { failure: "ECONNRESET" };
  const { stopped, requests } = await run((request, count) => {
    if (request.identity !== "client") return broken;
    return count % 3 === 0 && request.method === "GET" ? answer(500) : good(request);
  });
  expect(stopped).toBeUndefined();
  // The first request of each shows that there is no connection.
  expect(requests.filter(({ identity }) => identity === "none")).toHaveLength(1);
  expect(requests.filter(({ identity }) => identity === "other")).toHaveLength(1);
});

it("a request on a connection that the server has closed is sent again, counted and paced", async () => {
  const stale: Reply = { failure: "ECONNRESET", stale: true };
  const { requests, times, sent, stopped, seen } = await run((request, count) => (count === 4 ? stale : good(request)));
  expect(requests[4]).toEqual(requests[3]);
  expect((times[4] ?? 0) - (times[3] ?? 0)).toBe(500);
  expect(sent).toBe(requests.length);
  expect(stopped).toBeUndefined();
  expect([...seen.values()].filter(({ outcome }) => "failure" in outcome)).toEqual([]);
  const closed = await run((request, count) => (count >= 4 ? stale : good(request)));
  expect([closed.count, closed.stopped]).toEqual([
    10,
    "3 requests in a row failed, the last with no answer (ECONNRESET).",
  ]);
});

it("what the answer to a request that is sent again shows is known to the next one", async () => {
  const isList = ({ path }: ProbeRequest) => path.startsWith("/v1/rows");
  const page = (size: number) => answer(200, { items: Array.from({ length: size }, (_, id) => ({ id })) });
  const seen = new Set<string>();
  const { requests } = await run(
    (request) => {
      if (!isList(request)) return good(request);
      const isRepeated = seen.has(request.path);
      seen.add(request.path);
      if (!isRepeated) return { failure: "ECONNRESET", stale: true };
      return page(Number(new URL(request.path, "https://host").searchParams.get("pageSize") ?? 5));
    },
    { rate: 2, maxRequests: 150 },
    { lists: listTargets(["/v1/rows"]) },
  );
  const paths = requests.filter(isList).map(({ path }) => path);
  expect(paths.slice(0, 4)).toEqual([
    "/v1/rows",
    "/v1/rows",
    "/v1/rows?calibrateUnknown=1",
    "/v1/rows?calibrateUnknown=1",
  ]);
  // The page size is found, so no other name is tried.
  expect(paths.filter((path) => /limit|per_page|take/.test(path))).toEqual([]);
});

it("a token is renewed before it expires", async () => {
  const { requests } = await run((request) => (request.method === "POST" ? token(5) : good(request)));
  const isGood = ({ body }: ProbeRequest) => body === "grant_type=client_credentials&client_id=acme&scope=read";
  expect(requests.filter(isGood).length).toBeGreaterThan(3);
});

it("a renewal that failed is tried again", async () => {
  let renewals = 0;
  const isGood = ({ body }: ProbeRequest) => body === "grant_type=client_credentials&client_id=acme&scope=read";
  const { requests } = await run(
    (request) => {
      if (!isGood(request)) return request.method === "POST" ? token(10) : good(request);
      renewals += 1;
      return renewals === 2 ? answer(502) : token(10);
    },
    { rate: 1, maxRequests: 60 },
  );
  const places = requests.flatMap((request, index) => (isGood(request) ? [index] : []));
  expect(places[2]).toBe((places[1] ?? 0) + 1);
});
