import { describe, expect, test } from "vitest";
import type { Connection } from "../../../src/sandbox/tls/connection.js";
import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { frame, headers, requestFields, uint32 } from "../../support/http2-frames.js";
import { certificates, startServer } from "./fixture.js";

// What the record of a connection says that the client ends with a GOAWAY of its own.

const ca = certificates.ca.cert;
const protocolError = 1;
const goaways = {
  "a GOAWAY": frame("GOAWAY", 0, 0, Buffer.alloc(8)),
  "a GOAWAY with an error": frame("GOAWAY", 0, 0, Buffer.concat([uint32(0), uint32(protocolError)])),
};
const ends = {
  "the end of its side": ({ connection }: Http2Client) => void connection.socket.end(),
  "the end of both sides": (client: Http2Client) => client.destroy(),
  "nothing, because it waits for the server": () => {},
};

for (const [first, goaway] of Object.entries(goaways)) {
  for (const [then, end] of Object.entries(ends)) {
    test.each([
      ["after its answer", true],
      ["without a request", false],
    ])(`the client sends ${first}, and ${then}, %s`, async (_when, asks) => {
      const server = await startServer();
      const client = await Http2Client.open({ port: server.port, ca, ...certificates.client });
      if (asks) {
        client.get(1, "/");
        await client.over(1);
      }
      await client.isAlive();
      client.send(goaway);
      end(client);
      const facts = await eventually(() => server.requests[0]?.connectionFacts ?? server.unused[0]?.facts);
      // The server does not wait for a time-out.
      await eventually(() => server.connections().open === 0 && Object.isFrozen(facts));
      await client.connection.closed;
      expect(client.connection.errorCode).toBeUndefined();
      expect(facts.goaway).toEqual(client.received.goaways[0]);
      expect(facts.end).toBe("client-closed");
    });
  }
}

const request = headers(1, requestFields("GET", "/"));

describe.each(Object.entries(goaways))(
  "a connection has a request, or is unused, if the client sends %s",
  (_, goaway) => {
    test.each([
      ["before its first request in one write", [Buffer.concat([goaway, request])]],
      ["after its first request in one write", [Buffer.concat([request, goaway])]],
      ["before its first request", [goaway, request]],
    ])("%s", async (_when, writes) => {
      const read: Connection[] = [];
      const server = await startServer({ onUnprocessed: ({ connection }) => read.push(connection) });
      const open = () => Http2Client.open({ port: server.port, ca, ...certificates.client });
      const client = await open();
      await client.isAlive();
      for (const bytes of writes) client.send(bytes);
      await client.connection.closed;
      await eventually(() => server.connections().open === 0);
      // What is reported of the connection before is reported by then.
      const next = await open();
      // With the first answer, the handshake has ended for the server, too.
      await next.isAlive();
      next.destroy();
      await eventually(() => server.unused.some(({ facts }) => facts.id === 2));
      const reported = [...read, ...server.requests.map(({ connection }) => connection), ...server.unused];
      expect(reported.map(({ facts }) => facts.id)).toEqual([1, 2]);
    });
  },
);

test("a stream that the client resets in the same write changes nothing", async () => {
  const server = await startServer();
  const client = await Http2Client.open({ port: server.port, ca, ...certificates.client });
  await client.isAlive();
  client.send(
    headers(1, requestFields("GET", "/")),
    frame("RST_STREAM", 0, 1, uint32(8)),
    goaways["a GOAWAY"],
    headers(3, requestFields("GET", "/")),
    frame("RST_STREAM", 0, 3, uint32(8)),
  );
  await client.connection.closed;
  const connections = [...server.unused, ...server.requests.map(({ connection }) => connection)];
  await eventually(() => server.connections().open === 0);
  for (const { facts } of connections) expect(facts.goaway).toEqual(client.received.goaways[0]);
});
