import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { compare, describeInBrowser, goTo, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
});

beforeEach(async () => {
  await sandbox.admin.delete("/requests");
  token = await demo.token();
});

/** The key of the newest exchange. */
async function newest(): Promise<string> {
  return `r${(await sandbox.admin.get("/requests?pageSize=1")).json.items[0].id}`;
}

describeInBrowser("a comparison", () => {
  it("names the cause that the failed decision names, and never another difference", async () => {
    const sent = async (path: string, how: ApiClient = demo, headers = {}) => {
      await how.get(path, token, headers);
      return newest();
    };
    const other = await sandbox.standing("other");
    const good = await sent("/v1/payments?pageSize=5");
    const noUuid = await sent("/v1/payments?pageSize=6", demo, { "X-Correlation-ID": "x" });
    const anotherCertificate = await sent("/v1/payments?pageSize=7", other);
    const byScenario = await sent("/v1/payments?pageSize=8", demo, { "Sandbox-Scenario": "forbidden" });
    const badCursor = await sent("/v1/payments?pageSize=9&cursor=x");
    const { page } = await openDashboard(sandbox);
    const why = async (left: string, right: string) => {
      await compare(page, left, right);
      return page.locator("#why").innerText();
    };
    const correlation = "X-Correlation-ID made the difference: x was refused with INVALID_CORRELATION_ID";
    expect(await why(noUuid, good)).toContain(correlation);
    expect(await why(good, noUuid)).toContain(correlation);
    expect(await why(anotherCertificate, good)).toMatch(/failed at access token, which the good one passed/);
    expect(await why(badCursor, good)).toContain("cursor made the difference: x was refused with INVALID_CURSOR");
    expect(await why(byScenario, good)).toContain("forbidden");
    expect(await page.locator("#detail").innerText()).not.toContain("pageSize made the difference");
  });

  it("calls its sides failed and good, and folds bodies and ids", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const bad = await newest();
    await demo.get("/v1/payments?pageSize=5", token);
    const good = await newest();
    await demo.get("/v1/payments?pageSize=6", token);
    const { page } = await openDashboard(sandbox, { hash: `#/requests/${bad}/with/${good}` });
    await page.locator(".differences").first().waitFor();
    const text = () => page.locator("#detail").innerText();
    expect(await text()).toMatch(/failed[\s\S]*good/i);
    expect(await text()).not.toMatch(/\b(left|right)\b/i);
    const body = page.locator(".differences", { hasText: "Body" });
    expect(await body.locator("table").isVisible()).toBe(false);
    await body.locator("summary").click();
    await body.locator("table").waitFor();
    const ids = page.locator(".differences", { hasText: "Ids" });
    expect(await ids.locator("table").isVisible()).toBe(false);
    await ids.locator("summary").click();
    await ids.getByRole("rowheader", { name: "Correlation ID" }).waitFor();
    await goTo(page, `#/requests/${good}/with/${await newest()}`);
    await page.locator(".compared", { hasText: "pageSize=6" }).waitFor();
    expect(await text()).not.toMatch(/\b(left|right|failed)\b/i);
  });
});

describeInBrowser("after a rotation", () => {
  it("the present certificate is offered, to send a request again and in its curl", async () => {
    const client = await sandbox.mint({ clientId: "turns" });
    await client.ping();
    const key = await newest();
    await sandbox.admin.post("/clients/turns/rotate", { overlap: "0s" });
    await client.get("/v1/ping", "none");
    const afterwards = await newest();
    const { page } = await openDashboard(sandbox, { hash: `#/requests/${key}/request` });
    const command = page.locator("section", { hasText: "Copy as curl" }).last();
    await command.waitFor();
    expect(await command.innerText()).toContain("turns-cert.pem");
    expect(await command.innerText()).not.toContain("Only turns has the key");
    expect(await command.innerText()).toContain("the present certificate of turns");
    await page.getByRole("tab", { name: "Why" }).click();
    await page.getByRole("button", { name: "Send with the present certificate" }).click();
    await page.locator(".doing", { hasText: "It was answered 200" }).waitFor();
    await page.locator(".doing", { hasText: "The present certificate of turns replaced" }).waitFor();
    await page.getByRole("button", { name: "Edit and send" }).click();
    expect(await page.locator("#edit-form").innerText()).toContain("the present certificate of turns");
    await page.locator("#send-edited").click();
    await page.locator(".compared").waitFor();
    expect(await newest()).not.toBe(key);
    expect((await sandbox.admin.get("/requests?pageSize=1")).json.items[0].status).toBe(200);
    await goTo(page, `#/requests/${afterwards}/certificate`);
    await page.locator(".verdict.refused", { hasText: "It had ended before: renewed." }).waitFor();
  });
});

describeInBrowser("a form that is not text", () => {
  it("is told as such, and so is what its curl sends in its place", async () => {
    const send = (body: string) =>
      demo.send("/oauth/v2/oauth-token", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body,
      });
    await send("%ff%fe=1&client_id=demo");
    const name = await newest();
    await send("scope=%ff%fe&client_id=demo");
    const value = await newest();
    const { page } = await openDashboard(sandbox, { expected: /status of 409/ });
    for (const key of [name, value]) {
      await goTo(page, `#/requests/${key}/request`);
      await page.locator(`#detail[data-key=${key}] #copy-notes`).waitFor();
      const text = await page.locator("#detail").innerText();
      expect(text).not.toContain("d800");
      expect(text).toContain("not decodable");
      expect(text).toContain("%ff");
      expect(text).toContain("It cannot reproduce the request: its form was not text, and its bytes were not kept.");
      await page.getByRole("tab", { name: "Why" }).click();
      await page.getByRole("button", { name: "Send again" }).click();
      await page.locator(".doing", { hasText: "its bytes were not kept" }).waitFor();
      await page.getByRole("button", { name: "Edit and send" }).click();
      await page.locator("#edit-form", { hasText: "its bytes were not kept" }).waitFor();
    }
  });
});

describeInBrowser("a scenario that is saved", () => {
  const text = "description: Mine.\nrules:\n  - name: a\n    then: { error: EXAMPLE_ERROR }\n";
  const write = async (page: Page) => {
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
  };

  it("does not replace another one without a question, nor a change of somebody else", async () => {
    await sandbox.admin.putYaml("/scenarios/taken", text.replace("Mine", "Theirs"));
    await demo.get("/v1/payments?pageSize=500", token);
    const { page } = await openDashboard(sandbox, {
      hash: `#/scenarios/from/${await newest()}`,
      answers: [false, true, false],
    });
    await write(page);
    const stored = async () => (await sandbox.admin.get("/scenarios/taken")).text;
    await page.locator("#scenario-name").fill("taken");
    await page.locator("#save-scenario").click();
    await page.locator(".toast", { hasText: "taken was not saved." }).waitFor();
    expect(await stored()).toContain("Theirs");
    await page.locator("#save-scenario").click();
    await page.locator(".title-row", { hasText: "taken" }).waitFor();
    expect(await stored()).toContain("Mine");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await write(page);
    await sandbox.admin.putYaml("/scenarios/taken", text.replace("Mine", "Changed meanwhile"));
    await page.locator("#save-scenario").click();
    await page.locator(".toast", { hasText: "taken was not saved." }).waitFor();
    expect(await stored()).toContain("Changed meanwhile");
    await page.evaluate(() => sessionStorage.clear());
  });

  it("is on trial without replacing another one", async () => {
    await sandbox.admin.putYaml("/scenarios/trial-demo", text.replace("Mine", "Theirs"));
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/flaky/edit" });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.locator("#try-scenario").click();
    await page.locator("#trial", { hasText: "Only demo meets this scenario" }).waitFor();
    expect((await sandbox.admin.get("/scenarios/trial-demo")).text).toContain("Theirs");
    await page.locator("#end-trial").click();
    await page.locator("#end-trial").waitFor({ state: "detached" });
    expect((await sandbox.admin.get("/scenarios/trial-demo")).text).toContain("Theirs");
    await sandbox.admin.delete("/scenarios/trial-demo");
  });

  it("is in sight, and its target is the client that it was made for", async () => {
    const client = await sandbox.mint({ clientId: "shop" });
    await client.get("/v1/payments?pageSize=500");
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios" });
    await page.locator("#scenario-search").fill("flaky");
    await goTo(page, `#/scenarios/from/${await newest()}`);
    await write(page);
    await page.locator("#scenario-name").fill("zz-mine");
    await page.locator("#save-scenario").click();
    await page.getByRole("button", { name: "Activate for shop" }).waitFor();
    await expect.poll(() => page.locator("#target").inputValue()).toBe("shop");
    await page.locator("#scenario-search").fill("");
    const item = page.locator(".items a[aria-current]", { hasText: "zz-mine" });
    await item.waitFor();
    const isInSight = () =>
      item.evaluate((link) => {
        const { top, bottom } = (link.closest(".items") as Element).getBoundingClientRect();
        const own = link.getBoundingClientRect();
        return own.top >= top && own.bottom <= bottom + 1;
      });
    await expect.poll(isInSight).toBe(true);
  });
});

describeInBrowser("what is hidden or missing", () => {
  it("is not counted after Clear, and the page says that it is hidden", async () => {
    await demo.get("/v1/payments?pageSize=500", token);
    const { page } = await openDashboard(sandbox, { hash: "#/requests?q=code:INVALID_PAGE_SIZE" });
    await page.locator("#announcement", { hasText: "1 of 2 requests" }).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Clear" }).click();
    await page
      .locator("#announcement", { hasText: "0 requests. Older requests are hidden" })
      .waitFor({ state: "attached" });
    await page.locator("#empty", { hasText: "Nothing that matches has arrived since you cleared the list" }).waitFor();
  });

  it.each(["nonsense", "requests/nonsense", "clock/nonsense"])(
    "as the page %s has is said as long as it is there",
    async (name) => {
      const { page } = await openDashboard(sandbox, { hash: `#/${name}` });
      await page.locator("#page", { hasText: `There is no page "${name}"` }).waitFor();
      expect(await page.locator("#list").isVisible()).toBe(false);
      await page.locator("#page").getByRole("link", { name: "Requests" }).click();
      await page.locator("#list").waitFor();
    },
  );

  it("is not the address after the link that skips the heading", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients/demo" });
    await page.locator(".main h2").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    expect(new URL(page.url()).hash).toBe("#/clients/demo");
  });
});

describeInBrowser("a sentence for people", () => {
  it("names buttons, not calls of the admin API", async () => {
    const late = await sandbox.mint({ clientId: "late" });
    const old = await late.token();
    await sandbox.admin.post("/clients/late/clock", { advance: "301s" });
    await late.ping(old);
    const { page } = await openDashboard(sandbox, {
      hash: `#/requests/${await newest()}`,
      // The client that does not exist is looked for.
      expected: /status of 404/,
    });
    await page.locator("#why").getByRole("link", { name: "“Reset to the sandbox's time” on the page Clock" }).waitFor();
    await demo.requestToken({ client_id: "nobody" });
    await goTo(page, `#/requests/${await newest()}`);
    await page.locator("#why").getByRole("link", { name: "“New client” on the page Clients" }).waitFor();
    expect(await page.locator("#why").innerText()).not.toMatch(/POST|admin port/);
  });
});
