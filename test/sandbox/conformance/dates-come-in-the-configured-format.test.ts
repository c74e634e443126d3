import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, openSandbox, type RunningSandbox } from "./sandbox.js";

// The assumption list.dates: date-time, date, or both, with or without offset. A date means its first instant for from,
// and its last for to.
const items = [
  "2026-01-30T23:59:59.999Z",
  "2026-01-31T00:00:00Z",
  "2026-01-31T23:59:59.999999999Z",
  "2026-02-01T00:00:00Z",
].map((createdAt, index) => ({ id: index, createdAt }));

const accepted: Readonly<Record<string, Readonly<Record<string, readonly number[] | "refused">>>> = {
  "{ format: date-time }": {
    "from=2026-01-31T00:00:00Z&to=2026-01-31T23:59:59.9999999991Z": [1, 2],
    "from=2026-01-31T01:00:00%2B01:00": [1, 2, 3],
    "from=2026-01-31": "refused",
    "to=2026-01-31": "refused",
    "from=2026-01-31T00:00:00": "refused",
  },
  "{ format: date }": {
    "from=2026-01-31&to=2026-01-31": [1, 2],
    "from=2026-01-31": [1, 2, 3],
    "to=2026-01-31": [0, 1, 2],
    "to=2026-01-30": [0],
    "from=2026-02-01&to=2026-01-31": "refused",
    "from=2026-02-30": "refused",
    "from=2026-01-31T00:00:00Z": "refused",
    "from=31.01.2026": "refused",
    "from=": "refused",
  },
  "{ format: both }": {
    "from=2026-01-31&to=2026-01-31T00:00:00Z": [1],
    "from=2026-01-31T00:00:00.1Z&to=2026-01-31": [2],
    "from=2026-01-31T00:00:00": "refused",
  },
  "{ offset: optional }": {
    "from=2026-01-31T00:00:00&to=2026-01-31T23:59:59.5": [1],
    "from=2026-01-31T02:00:00%2B02:00&to=2026-01-31T00:00:00": [1],
    "from=2026-01-31": "refused",
  },
  "{ upper: excluded }": {
    "to=2026-01-31T00:00:00Z": [0],
    "to=2026-01-31T23:59:59.999999999Z": [0, 1],
    "to=2026-01-31T23:59:59.9999999991Z": [0, 1, 2],
    "from=2026-01-31T00:00:00Z&to=2026-02-01T00:00:00Z": [1, 2],
    "from=2026-01-31T00:00:00Z&to=2026-01-31T00:00:00Z": [],
    "from=2026-01-31T00:00:01Z&to=2026-01-31T00:00:00Z": "refused",
  },
  "{ format: both, upper: excluded }": {
    "from=2026-01-31&to=2026-02-01": [1, 2],
    "from=2026-01-31&to=2026-01-31": [],
    "to=2026-01-31": [0],
    "from=2026-02-01&to=2026-01-31": "refused",
  },
  // 2026-01-31 begins in Paris at 23:00 of the day before in UTC.
  "{ format: both, offset: optional, zone: Europe/Paris }": {
    "from=2026-02-01": [2, 3],
    "from=2026-01-31&to=2026-01-31": [0, 1],
    "to=2026-01-30": [],
    "from=2026-02-01T00:59:59.9999": [2, 3],
    "from=2026-02-01T00:00:00Z": [3],
    // The first and the last days of the calendar.
    "from=0001-01-01&to=9999-12-31": [0, 1, 2, 3],
  },
  // A zone behind UTC.
  "{ format: date, zone: America/New_York, upper: excluded }": {
    "to=2026-01-31": [0, 1],
    "from=2026-01-31&to=2026-02-01": [2, 3],
  },
};

describe.each(Object.entries(accepted))("list.dates: %s", (value, requests) => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({
      yaml: `
assumptions: { list.dates: ${value} }
lists:
  own:
    items: ${JSON.stringify(items)}
    order: oldest-first
    parameters: { fromCreatedAt: from, toCreatedAt: to }
  made: { parameters: { fromCreatedAt: from, toCreatedAt: to }, anchor: "2026-02-02T00:00:00Z", spacing: 24h, count: 5, fields: { createdAt: { type: createdAt } } }
`,
    });
  });
  afterAll(() => sandbox?.close());

  it.each(Object.entries(requests))("%s", async (query, rows) => {
    const token = await sandbox.token();
    const answer = await sandbox.send(`/v1/own?${query}`, { token });
    if (rows === "refused") {
      expectError(answer, 400, "VALIDATION_ERROR");
    } else {
      expect([answer.status, answer.json.items?.map(({ id }: { id: number }) => id)]).toEqual([200, rows]);
    }
    expect((await sandbox.send(`/v1/made?${query}`, { token })).status).toBe(answer.status);
  });
});

it.each([
  // Days of 23 and of 25 hours: the clocks of Paris change on 29 March and on 25 October 2026.
  ["2026-03-29", "2026-03-29T21:00:00.000Z", "2026-03-28T23:00:00.000Z"],
  ["2026-10-25", "2026-10-25T22:00:00.000Z", "2026-10-24T22:00:00.000Z"],
  // In Beirut, that day began at 1 o'clock: its first hour did not exist.
  ["2024-03-31", "2024-03-31T20:00:00.000Z", "2024-03-30T22:00:00.000Z", "Asia/Beirut"],
])("the day %s is as long as in its zone", async (day, newest, oldest, zone = "Europe/Paris") => {
  const sandbox = await openSandbox({
    yaml: `
assumptions: { list.dates: { format: date, zone: ${zone} } }
lists: { payments: { anchor: "${day}T23:00:00Z", spacing: 1h, count: 50, pageSize: { default: 50 } } }
`,
  });
  const token = await sandbox.token();
  const { json } = await sandbox.send(`/v1/payments?fromCreatedAt=${day}&toCreatedAt=${day}`, { token });
  const dates = json.items.map(({ createdAt }: { createdAt: string }) => createdAt);
  expect([dates[0], dates.at(-1)]).toEqual([newest, oldest]);
  await sandbox.close();
});

it.each(["Mars/Olympus", "+0100", "x".repeat(99)])("%j is no time zone", async (zone) => {
  const yaml = `assumptions: { list.dates: { zone: "${zone}" } }\n`;
  await expect(openSandbox({ yaml })).rejects.toThrow(
    /list\.dates.*zone: give a time zone such as Europe\/Paris, or UTC/,
  );
});

it("generated rows, too, are within whole days", async () => {
  const sandbox = await openSandbox({
    yaml: `
assumptions: { list.dates: { format: date } }
lists: { payments: { anchor: "2026-02-02T00:00:00Z", spacing: 12h } }
`,
  });
  const token = await sandbox.token();
  const { json } = await sandbox.send("/v1/payments?fromCreatedAt=2026-01-31&toCreatedAt=2026-02-01", { token });
  expect(json.items.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual([
    "2026-02-01T12:00:00.000Z",
    "2026-02-01T00:00:00.000Z",
    "2026-01-31T12:00:00.000Z",
    "2026-01-31T00:00:00.000Z",
  ]);
  await sandbox.close();
});
