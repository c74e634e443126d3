import { expect, it } from "vitest";
import { shareHeaders } from "../../src/api/shared-headers.js";

const connection = (id: number) => ({
  id,
  remoteAddress: "127.0.0.1",
  remotePort: 50_000 + id,
  serverName: undefined,
  protocol: "TLSv1.3",
  cipher: "TLS_AES_256_GCM_SHA384",
});

it("gives back the headers of the request before when nothing differs", () => {
  const facts = connection(1);
  const first = shareHeaders(facts, ["Host", "localhost", "Authorization", "Bearer a"]);
  expect(shareHeaders(facts, ["Host", "localhost", "Authorization", "Bearer a"])).toBe(first);
});

it.each([
  [["Host", "localhost", "Authorization", "Bearer b"]],
  [["Host", "localhost", "authorization", "Bearer a"]],
  [["Host", "localhost"]],
  [["Host", "localhost", "Authorization", "Bearer a", "X", "y"]],
  [["Authorization", "Bearer a", "Host", "localhost"]],
  [[]],
])("keeps what was sent: %j", (sent) => {
  const facts = connection(2);
  const first = shareHeaders(facts, ["Host", "localhost", "Authorization", "Bearer a"]);
  expect(shareHeaders(facts, [...sent])).toEqual(sent);
  expect(first).toEqual(["Host", "localhost", "Authorization", "Bearer a"]);
});

it("knows nothing of another connection", () => {
  const first = shareHeaders(connection(3), ["Host", "localhost"]);
  expect(shareHeaders(connection(4), ["Host", "localhost"])).not.toBe(first);
});
