import { beforeAll, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "./fixture.js";

const id = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

let sandbox: TestSandbox;
let client: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  client = await sandbox.mint();
});

/** What the journal says about a ping with this header. */
async function pinged(traceparent?: string) {
  const headers = traceparent === undefined ? {} : { traceparent };
  const { status } = await client.get("/v1/ping", undefined, headers);
  const { items } = (await sandbox.admin.get("/requests?operation=ping&pageSize=1")).json;
  const detail = (await sandbox.admin.get(`/requests/${items[0].id}`)).json;
  return { status, trace: detail.trace };
}

it("a request with traceparent has its trace in the journal", async () => {
  expect(await pinged(`00-${id}-${parent}-01`)).toEqual({
    status: 200,
    trace: { id, parent, sampled: true },
  });
});

it.each([undefined, `00-${"0".repeat(32)}-${parent}-01`, '"><script>', "0".repeat(4000)])(
  "a request without traceparent, or with an invalid one, is answered and has no trace: %.40s",
  async (traceparent) => {
    expect(await pinged(traceparent)).toEqual({ status: 200, trace: null });
  },
);
