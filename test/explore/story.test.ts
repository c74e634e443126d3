import { expect, it } from "vitest";
import { storyOf } from "../../src/explore/story.js";
import { delivered } from "./exchanges.js";

const pings = Array.from({ length: 16 }, (_, index) => delivered({ target: `/v1/ping?n=${index + 1}` }, index + 1));
const fault = delivered({ status: 503, code: "SERVICE_UNAVAILABLE", delivered: false }, 17);
const since = fault.item.receivedAt - 1250;
const reset = delivered({ status: 0, delivered: false }, 18);

it("tells two requests before the fault, and what follows, without numbers of its own", () => {
  expect(storyOf([...pings, fault, reset], [fault], since)).toEqual([
    "1.23 s GET /v1/ping?n=15: 200",
    "1.24 s GET /v1/ping?n=16: 200",
    "1.25 s GET /v1/ping: 503 SERVICE_UNAVAILABLE, not delivered whole (the fault)",
    "1.26 s GET /v1/ping: no answer",
  ]);
});

it("is short, and says how much more there is", () => {
  const story = storyOf([fault, ...pings], [fault], since);
  expect(story).toHaveLength(11);
  expect(story.at(-1)).toBe("… and 7 more.");
});

it("is empty where the fault did not act", () => {
  expect(storyOf(pings, [], since)).toEqual([]);
});
