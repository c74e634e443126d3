import { expect, it } from "vitest";
import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { frame, uint32 } from "../../support/http2-frames.js";
import { openTls } from "../../support/raw-client.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();

function addressOf({ material: { url, ca, certificate: cert, key } }: OutsideClient) {
  return { port: Number(new URL(url).port), ca, cert, key };
}

async function journalOf(client: OutsideClient) {
  const found = (await sandbox().admin("GET", `/requests?client=${client.id}`)) as {
    readonly items: { target: string; status: number; delivered: boolean | null }[];
  };
  return found.items.map(({ target, status, delivered }) => ({ target, status, delivered }));
}

// Otherwise the request would count as too slow, and end in a 408.
it.each(["POST /oauth/v2/oauth-token", "GET /v1/ping"])(
  "%s with a delay gets 100 Continue at once",
  { tags: "slow" },
  async (line) => {
    await sandbox().upload("late", "  - { then: { delay: 100s } }");
    const client = await sandbox().client();
    await client.activate("late");
    const { socket, waitFor } = await openRaw(client);
    socket.write(
      `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n",
    );
    expect(await waitFor("\r\n\r\n")).toMatch(/^HTTP\/1\.1 100 /);
  },
);

it("a stream that is reset during the delay of its fault does not end other streams", async () => {
  await sandbox().upload(
    "late-close",
    "  - { when: { query: { page: last } }, then: { delay: 100s, connection: close } }",
  );
  const client = await sandbox().clientUnder("late-close");
  const authorization: [string, string] = ["authorization", `Bearer ${await client.token()}`];
  const http2 = await Http2Client.open(addressOf(client));
  http2.get(1, "/v1/payments?page=last", [authorization]);
  expect(await http2.isAlive()).toBe(true);
  http2.send(frame("RST_STREAM", 0, 1, uint32(8)));
  await eventually(async () => (await journalOf(client)).some(({ target }) => target.includes("page=last")));
  http2.get(3, "/v1/ping", [authorization]);
  expect((await http2.over(3)).status).toBe(200);
  expect(await http2.isAlive()).toBe(true);
  http2.connection.socket.destroy();
});

it("a body that breaks during the delay of a fault is answered, and recorded once", async () => {
  await sandbox().upload("late-reset", "  - { then: { delay: 50ms, connection: reset } }");
  const client = await sandbox().clientUnder("late-reset");
  const { socket, waitFor } = await openRaw(client);
  socket.write("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n");
  expect(await waitFor(/\}$/)).toMatch(/^HTTP\/1\.1 400 /);
  await eventually(() => socket.destroyed);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await journalOf(client)).toMatchObject([{ status: 400, delivered: true }, { status: 200 }]);
});

async function openRaw(client: OutsideClient) {
  const raw = await openTls(addressOf(client));
  return { socket: raw.socket, waitFor: (text: string | RegExp) => raw.waitFor(text) };
}
