import { expect, it } from "vitest";
import { MadeUpClient } from "./observed.js";

it("a report is correct after a million exchanges", () => {
  const client = new MadeUpClient();
  client.asksForToken("a", { issued: { token: "a", type: "bearer", lifetime: 1e12 } });
  client.reads({ next: "page 1" });
  for (let count = 1; count <= 250_000; count++) {
    client.uses("a");
    client.reads({ cursor: `page ${count}`, next: `page ${count + 1}` }, { token: "a", tokenSent: "header" });
    client.fails(503, { target: `/v1/payments?count=${count}` });
    client.wait(200).does({ target: `/v1/payments?count=${count}` });
  }
  expect(client.failed).toEqual([]);
  client.isRefused("a");
  client.uses("a");
  client.reads({ cursor: "page 250000" });
  client.reads({ cursor: "page 250000" });
  expect(client.failed).toEqual(["token.refused", "list.loop"]);
  expect(client.result("token.refused").exchanges).toEqual(["1000003", "1000004"]);
});
