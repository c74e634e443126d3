import { expect, test } from "vitest";
import { eventually, startServer } from "./fixture.js";

// Seen under load, with a client that did not read: Node ended the connection, and not the answer. Here its listener is
// taken away.
test("an answer whose end Node does not report is over with its connection", async () => {
  const closed: boolean[] = [];
  const server = await startServer({
    fetch(_request, env) {
      env.track({ closed: (delivered) => closed.push(delivered) });
      const { tlsSocket } = env.connection;
      for (const listener of tlsSocket.listeners("close"))
        if (listener.name === "onServerResponseClose") tlsSocket.off("close", listener as () => void);
      return new Promise(() => {});
    },
  });
  const client = await server.open();
  client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await eventually(() => server.requests.length === 1);
  client.socket.destroy();
  await eventually(() => closed.length > 0);
  expect(closed).toEqual([false]);
});
