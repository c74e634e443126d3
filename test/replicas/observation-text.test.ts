import { expect, it } from "vitest";
import type { ExchangeObservation } from "../../src/exam/observation.js";
import { observationsIn, observationText } from "../../src/replicas/observation-text.js";

const observed: ExchangeObservation = {
  id: 0,
  client: "1 demo",
  epoch: 0,
  scenario: undefined,
  clock: "2 1",
  timeError: 20.5,
  connection: 2_000_000_007,
  begunAt: 1_763_812_345_678.123,
  stream: undefined,
  ordinal: 1,
  keptOpen: true,
  http2Fault: undefined,
  protocol: "TLSv1.3",
  serverDefect: undefined,
  thumbprint: "thumbprint",
  arrivedAt: 1_763_812_345_679.001,
  releasedAt: 1_763_812_345_679.999,
  endedByClient: false,
  overAt: 1_763_812_345_680,
  method: "GET",
  target: "/v1/ping",
  operation: "ping",
  body: undefined,
  status: 200,
  code: undefined,
  ending: "delivered",
  refusal: undefined,
  invalidToken: false,
  retryAfter: undefined,
  token: "hash",
  tokenSent: "header",
  correlated: false,
  unknown: [],
  hasValues: false,
  tokenRequest: undefined,
  page: undefined,
};

it("observations are the same after conversion, to the microsecond", () => {
  const form = new Map([["scope", ["read", null]]]);
  const tokenRequest = { form, otherMediaType: false, basic: false, inUrl: [], issued: undefined };
  const exchanges = [
    [812, observed],
    [0, { ...observed, ordinal: 2, arrivedAt: 1_763_812_345_000.017, retryAfter: { wait: 1000, grace: 50 } }],
    [-1, { ...observed, operation: "token", tokenRequest, unknown: [{ name: "a", near: "b" }] }],
    [-2, { ...observed, begunAt: 1_763_812_999_999.999, overAt: 1_763_813_000_000.001, serverDefect: "expired" }],
  ] as const;
  const handshakes = [{ id: 0, client: "", cause: "no-request", protocol: "TLSv1.3", serverDefect: undefined }];
  expect(observationsIn(observationText({ exchanges, handshakes }))).toEqual({ exchanges, handshakes });
  expect(observationsIn(observationText({ exchanges: [], handshakes }))).toEqual({ exchanges: [], handshakes });
});

it("common values are written once, and instants as differences", () => {
  const exchanges = Array.from({ length: 1001 }, (_, place) => {
    const later = (instant: number) => Math.round((instant + place) * 1000) / 1000;
    return [-place, { ...observed, arrivedAt: later(observed.arrivedAt), overAt: later(observed.overAt) }] as const;
  });
  const size = (count: number) => observationText({ exchanges: exchanges.slice(0, count), handshakes: [] }).length;
  expect((size(1001) - size(1)) / 1000).toBeLessThan(30);
});
