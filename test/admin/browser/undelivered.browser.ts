import { beforeAll, expect, it } from "vitest";
import { Http2Client } from "../../support/http2-client.js";
import { frame, headers, requestFields, uint32 } from "../../support/http2-frames.js";
import { openTls } from "../../support/raw-client.js";
import { eventually, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

// Answers that did not arrive are told as such.

let sandbox: TestSandbox;

const actKey = "then";
const acts = {
  half: { connection: "truncate" },
  hang: { connection: { kind: "hang", duration: "60s" } },
  stall: { connection: { kind: "stall", duration: "60s" } },
};
const rules = Object.entries(acts).map(([name, act]) => ({ name, [actKey]: act }));

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.admin.putYaml("/scenarios/lost", JSON.stringify({ description: "Lost answers.", rules }));
  const client = await sandbox.mint({ clientId: "shop" });
  const token = await client.token();
  const { url, ca, certificate: cert, key } = client.minted;
  const options = { port: Number(new URL(url).port), ca, cert, key };
  const fields = (rule: string): [string, string][] => [
    ["authorization", `Bearer ${token}`],
    ["sandbox-replay", `lost/${rule}#1;seed=any`],
  ];
  const request = (rule: string) =>
    `GET /v1/payments?of=${rule} HTTP/1.1\r\nHost: localhost\r\n${fields(rule)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n`;
  const half = await openTls(options);
  half.send(request("half"));
  await half.closed;
  const hang = await openTls(options);
  hang.send(request("hang"));
  await eventually(async () => (await sandbox.admin.get("/requests?q=fault:lost/hang*")).json.items.length > 0);
  hang.socket.destroy();
  const cancelled = await Http2Client.open(options);
  cancelled.send(headers(1, requestFields("GET", "/v1/payments?of=stall", fields("stall"))));
  await eventually(() => cancelled.received.stream(1).body.length > 0);
  cancelled.send(frame("RST_STREAM", 0, 1, uint32(8)));
  await eventually(async () =>
    (await sandbox.admin.get("/requests")).json.items.every(
      ({ delivered }: { delivered: unknown }) => delivered !== null,
    ),
  );
  cancelled.destroy();
});

describeInBrowser("an answer that did not arrive", () => {
  it("is told as that in the list: not delivered, and how much was sent of how much", async () => {
    const { page, rows } = await openDashboard(sandbox, { viewport: { width: 1440, height: 900 } });
    await page.locator(".row", { hasText: "of=half" }).waitFor();
    const row = async (of: string) => (await rows()).find((text) => text.includes(`of=${of}`));
    expect(await row("half")).toMatch(/200.*not delivered.*\d+ B of [\d.,]+ k?B/s);
    expect(await row("stall")).toMatch(/200.*not delivered.*\d+ B of [\d.,]+ k?B/s);
    expect(await row("hang")).toMatch(/none.*no answer/s);
    expect(await page.locator(".row", { hasText: "of=half" }).getAttribute("class")).toContain("warn");
  });

  it.each([
    ["half", "by the scenario", /Ended by\s+a scenario/],
    ["stall", "The client gave up after", /Ended by\s+the client/],
    ["hang", "The client gave up after", /Ended by\s+the client/],
  ])("is told as that in its details: %s", async (of, why, facts) => {
    const { page } = await openDashboard(sandbox);
    await page
      .locator(".row", { hasText: `of=${of}` })
      .first()
      .click();
    await page.locator("#why", { hasText: why }).waitFor();
    const text = await page.locator("#detail").innerText();
    expect(text).toMatch(facts);
    expect(text).not.toMatch(/on purpose|Page 1/);
    if (of === "hang") expect(await page.locator(".panel-head").innerText()).toContain("no answer");
    else {
      expect(await page.locator(".panel-head").innerText()).toMatch(/200\s+not delivered/);
      expect(text).toMatch(/Sent\s+[\d,]+ of [\d,]+ bytes/);
    }
    await page.getByRole("tab", { name: "Answer" }).click();
    await page.locator("#tab-panel[data-tab=answer]").waitFor();
    const answer = await page.locator("#tab-panel").innerText();
    expect(answer).toMatch(of === "hang" ? /No answer was given/ : /[\d,]+ of [\d,]+ bytes were sent/);
    expect(answer).not.toContain("on purpose");
  });
});
