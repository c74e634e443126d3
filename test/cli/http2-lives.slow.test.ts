import { expect, test } from "vitest";
import { aroundGoaway, givenUpWithErrors, goawayVariants, order, orderCount } from "../sandbox/tls/frame-orders.js";
import { sendAll, startChecked } from "./http2-lives.js";

// More of each: http2-lives.night.test.ts.
const some = Array.from({ length: Math.floor(orderCount / 80) }, (_none, at) => order(80 * at, at));

test.each([
  // A GOAWAY without an error comes most often: Node closes the session of such a client, and does not destroy it.
  ["a GOAWAY between requests", Array.from({ length: 12 }, () => aroundGoaway(0))],
  [
    "a GOAWAY with any code and last stream between requests",
    Array.from({ length: goawayVariants / 4 }, (_none, at) => aroundGoaway(5 * at)),
  ],
  // The connection is ended for them. Node reports each of the further ones as an error of its stream.
  [
    "requests that are given up with an error while their connection ends",
    Array.from({ length: 3 }, () => givenUpWithErrors(1_500)),
  ],
  ["three frames of any type around requests", some.map(({ bytes }) => bytes)],
])("no client ends the process: %s", async (_name, inputs) => {
  const sandbox = await startChecked();
  const statuses = await sendAll(sandbox, inputs);
  expect(await sandbox.stop()).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect(new Set(statuses)).toEqual(new Set([401]));
});
