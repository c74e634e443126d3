import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { HttpsTransport } from "../../../src/cli/calibrate/transport.js";
import { issueTestCertificates } from "../../support/certificates.js";
import { afterTest } from "../../support/cleanups.js";

it("an answer that changes the protocol is a failure", async () => {
  const { ca, server, client } = issueTestCertificates();
  const service = createServer({ cert: server.cert, key: server.key }, ({ socket }) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"),
  );
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  afterTest(() => void service.close());
  const url = new URL(`https://localhost:${(service.address() as AddressInfo).port}`);
  const transport = new HttpsTransport({ url, ca: ca.cert, client, other: undefined });
  afterTest(() => transport.close());
  const request = { method: "GET", path: "/", headers: {}, identity: "client" } as const;
  expect(await transport.send(request as never)).toMatchObject({ failure: "101 Switching Protocols" });
});
