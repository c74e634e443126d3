import { afterEach, beforeAll, expect, it } from "vitest";
import { hasRedis, RedisServer } from "../../replicas/redis-server.js";
import { mint, Replicas, token as sharedToken, steadyPing } from "../../replicas/replicas.js";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, goTo, openDashboard } from "./browser.js";

let sandbox: TestSandbox;
let demo: ApiClient;
let token: string;

beforeAll(async () => {
  sandbox = await startShared();
  demo = await sandbox.standing("demo");
  token = await demo.token();
});

afterEach(async () => {
  await sandbox.admin.post("/reset", {});
});

const choiceOf = async (client: string) => (await sandbox.admin.get(`/clients/${client}/scenario`)).json;

describeInBrowser("a client with a state of its own", () => {
  it("is named in the heading and among the scenarios, and Stop returns to what it had, also after a reload", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios" });
    expect(await page.locator("#differing").count()).toBe(0);
    await page.getByLabel("Active for").selectOption("demo");
    for (const name of ["example-error", "maintenance"]) {
      await page.getByRole("button", { name: `Activate ${name}` }).click();
      await page.locator(".now-active.warn", { hasText: name }).waitFor();
    }
    await page.locator("#differing", { hasText: "1 differs" }).waitFor();
    await page.locator(".own-choices", { hasText: "Clients with a choice of their own 1" }).getByText("demo").waitFor();
    await page.reload();
    await page.getByLabel("Active for").selectOption("demo");
    await page.locator("#scenario-off").click();
    await page.locator(".now-active.warn", { hasText: "example-error, its own choice" }).waitFor();
    await page.locator("#scenario-off").click();
    await page.locator(".now-active", { hasText: "no scenario, as for all" }).waitFor();
    await page.locator("#differing").waitFor({ state: "detached" });
    await sandbox.admin.put("/clients/other/scenario", { name: null });
    await sandbox.admin.post("/clients/demo/clock", { advance: "1h" });
    await page.locator("#differing", { hasText: "2 differ" }).click();
    const items = page.locator("#client-list li");
    await expect
      .poll(async () => (await items.allTextContents()).slice(0, 2))
      .toEqual([expect.stringMatching(/^demo.*\+1 h/), expect.stringMatching(/^other.*no scenario/)]);
    await goTo(page, "#/scenarios");
    await page.getByRole("button", { name: "Follow all: other" }).click();
    await page.locator(".own-choices").waitFor({ state: "detached" });
    expect(await choiceOf("other")).toMatchObject({ source: "none" });
    await page.locator("#differing", { hasText: "1 differs" }).click();
    await page.getByRole("heading", { name: "demo", exact: true }).waitFor();
  });
});

describeInBrowser("fail the next one", () => {
  it("of a client, with undo; and the one like a request, on top of its scenario", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients/demo" });
    const form = page.locator(".main .fail-next");
    await form.getByRole("combobox").selectOption({ label: "503 SERVICE_UNAVAILABLE, retry after 1 s" });
    await form.getByRole("button", { name: "Fail it once" }).click();
    await form.getByText("Waiting for the request that gets 503").waitFor();
    await form.getByRole("button", { name: "Undo" }).click();
    await form.getByText("Waiting").waitFor({ state: "detached" });
    expect((await demo.ping(token)).status).toBe(200);
    await sandbox.admin.put("/clients/demo/scenario", { name: "example-error" });
    await demo.send("/v1/ping");
    await page.locator("#nav-requests").click();
    await page.locator("#list .row", { hasText: "send Authorization: Bearer TOKEN" }).waitFor();
    await demo.get("/v1/payments", token, { "Sandbox-Scenario": "internal-error-once" });
    const { id } = (await sandbox.admin.get("/requests?client=demo&operation=list&pageSize=1")).json.items[0];
    await goTo(page, `#/requests/r${id}`);
    const like = page.locator("#detail .fail-next", { hasText: "The next list of payments gets" });
    await page.locator("#detail summary", { hasText: "Fail the next one" }).click();
    await like.getByRole("combobox").selectOption({ label: "403 FORBIDDEN" });
    await like.getByRole("button", { name: "Fail it once" }).click();
    await like.getByText("Waiting for the request that gets 403").waitFor();
    // Another operation has what it had.
    expect((await demo.ping(token)).json.code).toBe("EXAMPLE_ERROR");
    expect((await demo.get("/v1/payments", token)).json.code).toBe("FORBIDDEN");
    await like.getByText("A request has failed: it gets 403").waitFor();
    await like.getByRole("button", { name: "Done" }).click();
    await like.getByText("A request has failed").waitFor({ state: "detached" });
    expect(await choiceOf("demo")).toMatchObject({ name: "example-error" });
  });
});

describeInBrowser("a link to a request", () => {
  it("shows its row, however far down it is, with time and client beside the details at each width", async () => {
    for (let count = 0; count < 130; count++) await demo.ping(token);
    const { id } = (await sandbox.admin.get("/requests?pageSize=1000")).json.items.at(-2);
    for (const width of [1280, 850]) {
      const { page } = await openDashboard(sandbox, {
        hash: `#/requests/r${id}`,
        viewport: { width, height: 800 },
      });
      const row = page.locator(`#list .row[aria-selected=true]`);
      await row.waitFor();
      await expect
        .poll(() =>
          row.evaluate((one) => {
            const [own, list] = [one, one.closest("#list") as Element].map((each) => each.getBoundingClientRect());
            return own !== undefined && list !== undefined && own.top >= list.top && own.bottom <= list.bottom + 1;
          }),
        )
        .toBe(true);
      for (const cell of [".time", ".who"])
        expect(
          await row.locator(cell).evaluate((one) => one.clientWidth > 20 && one.scrollWidth <= one.clientWidth + 1),
        ).toBe(true);
    }
  });
});

describeInBrowser("with replicas", () => {
  it.skipIf(!hasRedis)(
    "the details say which one answered, and the page of a client names those that did",
    async () => {
      const replicas = new Replicas((await RedisServer.start()).url);
      const [a, b] = [await replicas.start(), await replicas.start()];
      const client = await mint(a, { clientId: "between" });
      await steadyPing(b, client, await sharedToken(a, client));
      const { page, openRow } = await openDashboard({ sandbox: a });
      await openRow("/v1/ping");
      const port = (at: typeof a) => new URL(at.url).port;
      await page.locator("#detail dd", { hasText: `:${port(b)}` }).waitFor();
      await goTo(page, "#/clients/between");
      for (const at of [a, b]) await page.locator(".main dd", { hasText: `:${port(at)}` }).waitFor();
    },
  );
});
