import { describe, expect, it } from "vitest";
import {
  oneSecond,
  page,
  ping,
  refusedPage,
  refusedPing,
  type Step,
  token,
  wait,
} from "../../src/exam/conversation.js";
import type { ExchangeObservation } from "../../src/exam/observation.js";
import { failures, judged } from "./play.js";

type Change = Partial<ExchangeObservation>;

/** How late a busy machine may make the next request, in milliseconds. */
const delays = [0, 12, 60, 99, 101, 400, 900];

/** Each request on a stream of its own, as over HTTP/2. */
const overHttp2 = (steps: readonly Step[]): Step[] =>
  steps.map((step, index) => ("exchange" in step ? { exchange: { stream: 2 * index + 1, ...step.exchange } } : step));
/** Each on a connection of its own, which is opened for it. */
function separately(steps: readonly Step[]): Step[] {
  let now = 1000;
  return steps.map((step, index) => {
    const begunAt = now;
    now += "wait" in step ? step.wait : 2;
    if (!("exchange" in step)) return step;
    return { exchange: { connection: index + 1, ordinal: 1, begunAt, ...step.exchange } };
  });
}

const ways = [
  ["over HTTP/1.1", (steps: readonly Step[]) => [...steps]],
  ["over HTTP/2", overHttp2],
  ["with a connection for each request", separately],
] as const;

const musts = (plain: readonly Step[], steps: readonly Step[]) =>
  failures({ plain, steps }).filter((text) => text.startsWith("must"));

const limited = { status: 429, retryAfter: oneSecond };
const forbidden = ping({ status: 403, code: "FORBIDDEN" });
const plainWalk = [page({ next: "b" }), page({ cursor: "b" })];

describe.each(ways)(
  "a client that sends one request at a time, %s, has the same verdict on a busy machine",
  (_way, over) => {
    it.each<[string, readonly Step[], (pause: Step) => readonly Step[]]>([
      ["token.refused", [token(), ping()], (pause) => [token(), refusedPing(), pause, refusedPing()]],
      ["list.restart", plainWalk, (pause) => [page({ next: "2" }), refusedPage("2"), pause, refusedPage("2")]],
      ["retry.after", [ping()], (pause) => [ping(limited), pause, ping()]],
      ["retry.permanent", [ping()], (pause) => [forbidden, pause, forbidden, pause, forbidden]],
    ])("%s fails it", (id, plain, stepsWith) => {
      for (const delay of delays)
        expect(musts(over(plain), over(stepsWith(wait(delay)))), `after ${delay} ms`).toEqual([`must ${id}`]);
    });

    it("token.refused passes it where it uses another token", () => {
      for (const delay of delays) {
        const steps = [token(), refusedPing(), wait(delay), token("second"), wait(delay), ping({ token: "second" })];
        const result = judged({ plain: over([token(), ping()]), steps: over(steps) }).find(
          ({ id }) => id === "token.refused",
        );
        expect(result?.verdict, `after ${delay} ms`).toBe("pass");
      }
    });
  },
);

describe("over HTTP/2, one request too many proves nothing, however late it comes, of a client", () => {
  const open: Change = { stream: 101, arrivedAt: 1000, releasedAt: 1500, overAt: 1500 };
  const parallel: Step[] = [
    ping({ ...open, target: "/v1/a" }),
    ping({ ...open, target: "/v1/b", stream: 103, arrivedAt: 1100 }),
  ];
  const gaveUp: Step[] = [ping({ target: "/v1/a", status: 0, ending: "abandoned", endedByClient: true })];

  it.each([
    ["that has several requests open at once", parallel],
    ["that gave up a request", gaveUp],
  ])("%s", (_what, before) => {
    for (const delay of delays) {
      const refused = [token(), refusedPing(), wait(delay), refusedPing()];
      expect(musts([token(), ping()], overHttp2([...before, wait(200), ...refused]))).toEqual([]);
      expect(musts([ping()], overHttp2([...before, wait(200), ping(limited), wait(delay), ping()]))).toEqual([]);
    }
  });
});

describe("a refused token that goes to the token endpoint fails token.refused", () => {
  const bearing = token("second", { token: "first", tokenSent: "header" });

  it.each(ways)("%s", (_way, over) => {
    for (const delay of delays) {
      const steps = [token(), refusedPing(), wait(delay), bearing, ping({ token: "second" })];
      expect(musts(over([token(), ping()]), over(steps)), `after ${delay} ms`).toEqual(["must token.refused"]);
    }
  });

  it("not if it left before the refusal came", () => {
    const early = token("second", { token: "first", tokenSent: "header", connection: 2, arrivedAt: 900 });
    expect(musts([token(), ping()], [token(), refusedPing({ releasedAt: 1500, overAt: 1500 }), early])).toEqual([]);
  });
});

describe("a token request that is refused again and again", () => {
  const refused = token("none", {
    status: 400,
    tokenRequest: { form: undefined, otherMediaType: false, basic: false, inUrl: [], issued: undefined },
  });
  const plain = [token(), ping(), ping(), ...plainWalk];
  const sent = (times: number) =>
    failures({ plain, steps: Array.from({ length: times }, () => refused) }).filter((text) =>
      text.includes("permanent"),
    );

  it("is a should if it is sent more often than each call asks for one", () => {
    expect(sent(5)).toEqual(["should retry.permanent"]);
  });

  it("passes where each of three calls asks once", () => {
    expect(sent(3)).toEqual([]);
  });
});
