import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type ApiClient, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

const folder = mkdtempSync(join(tmpdir(), "dashboard-scenarios-"));
const file = join(folder, "mine.yaml");
const good =
  "description: Mine.\nrules:\n  - name: a\n    when: { operation: ping }\n    then: { error: EXAMPLE_ERROR }\n";

let sandbox: TestSandbox;
let demo: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  writeFileSync(file, good);
  sandbox = await startShared({ scenarios: folder });
  [demo, other] = await Promise.all([sandbox.standing("demo"), sandbox.standing("other")]);
});

afterEach(async () => {
  await sandbox.admin.post("/reset", {});
});

afterAll(() => rmSync(folder, { recursive: true }));

describeInBrowser("the page of scenarios", () => {
  it("activates a scenario for all with one click; the next call fails, and the list says why", async () => {
    const { page, openRow } = await openDashboard(sandbox, { hash: "#/scenarios" });
    expect((await demo.ping()).status).toBe(200);
    await page.getByRole("button", { name: "Activate maintenance" }).click();
    await page.locator(".now-active.warn", { hasText: "maintenance" }).waitFor();
    await page.locator(".chip.warn", { hasText: "maintenance" }).waitFor();
    expect((await demo.ping()).status).toBe(503);
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await openRow("SERVICE_UNAVAILABLE");
    const replay = await page.locator(".code", { hasText: "Sandbox-Replay: maintenance/" }).first().innerText();
    expect(replay).toMatch(/^Sandbox-Replay: maintenance\/[\w-]+#1;seed=/);
    await page.getByRole("link", { name: "maintenance", exact: true }).click();
    await page.getByRole("button", { name: "Stop for all clients" }).click();
    await page.locator(".now-active:not(.warn)").waitFor();
    expect((await demo.ping()).status).toBe(200);
  });

  it("activates it for one client, and the others continue", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios" });
    await page.getByLabel("Active for").selectOption("demo");
    await page.getByRole("button", { name: "Activate example-error" }).click();
    await page.locator(".now-active.warn", { hasText: "its own choice" }).waitFor();
    expect((await demo.ping()).json.code).toBe("EXAMPLE_ERROR");
    expect((await other.ping()).status).toBe(200);
    await page.getByRole("button", { name: "Follow all", exact: true }).click();
    await page.locator(".now-active", { hasText: "as for all" }).waitFor();
    expect((await demo.ping()).status).toBe(200);
  });

  it("are filtered: what does not match is not chosen, and has no focus and no button", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/maintenance" });
    const list = page.locator("#scenario-list");
    await list.locator("[aria-current]", { hasText: "maintenance" }).waitFor();
    await page.locator("#scenario-search").fill("flaky");
    await list.locator("[aria-current]", { hasText: "flaky" }).waitFor();
    await page.locator(".main h2", { hasText: "flaky" }).waitFor();
    for (const name of await list.locator("li b").allInnerTexts()) expect(name).not.toBe("maintenance");
    // The next key goes to the first match, and activates no other one.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".now-active.warn", { hasText: "flaky" }).waitFor();
    await page.locator("#scenario-search").fill("no such scenario");
    await page.locator(".side", { hasText: "No scenario matches" }).waitFor();
    expect(await page.getByRole("button", { name: /^Activate|for all clients/ }).count()).toBe(0);
  });

  it("names the rules that no request has matched yet", async () => {
    const rule = (name: string, operation: string) =>
      `  - { name: ${name}, when: { operation: ${operation} }, then: { error: EXAMPLE_ERROR } }\n`;
    await sandbox.admin.putYaml(
      "/scenarios/two",
      `description: x\nrules:\n${rule("met", "ping")}${rule("lost", "list")}`,
    );
    await sandbox.admin.put("/scenario", { name: "two" });
    await demo.ping();
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/two" });
    await page.getByText("No request has matched these rules yet: lost.").waitFor();
    await page.getByRole("button", { name: "Stop for all clients" }).click();
    await page.getByText("No request has matched these rules yet").waitFor({ state: "detached" });
    await sandbox.admin.delete("/scenarios/two");
  });

  it("excludes a client from the scenario for all", async () => {
    await sandbox.admin.put("/scenario", { name: "example-error" });
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/example-error" });
    await page.getByLabel("Active for").selectOption("demo");
    await page.getByRole("button", { name: "Stop for demo" }).click();
    await page.locator(".now-active", { hasText: "its own choice" }).waitFor();
    expect((await demo.ping()).status).toBe(200);
    expect((await other.ping()).json.code).toBe("EXAMPLE_ERROR");
  });

  it("highlights the text, and shows the problems of a broken one at once", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/mine" });
    const yaml = page.getByLabel("the text of mine", { exact: true });
    await yaml.locator(".tok-key", { hasText: "operation" }).waitFor();
    expect((await yaml.innerText()).trim().replaceAll("\n\n", "\n")).toBe(good.trim());
    writeFileSync(file, good.replace("when", "wen"));
    await page.locator(".problems", { hasText: 'mine.yaml:4:5: Unknown key "wen"' }).waitFor();
    expect(await page.locator(".numbered.problem").innerText()).toContain("wen:");
    expect(await page.locator(".problems").innerText()).toContain("the last good one stays in force");
    writeFileSync(file, good);
    await page.locator(".problems").waitFor({ state: "detached" });
  });

  it("shows the text without colours if the script for them cannot be loaded", async () => {
    const { page } = await openDashboard(sandbox, { expected: /ERR_FAILED/ });
    await page.route("**/assets/editor.js", (route) => route.abort());
    await page.locator("#nav-scenarios").click();
    await page.locator(".items.scenarios").getByRole("link", { name: /^mine/ }).click();
    const yaml = page.getByLabel("the text of mine", { exact: true });
    await yaml.getByText("operation: ping").waitFor();
    expect(await yaml.locator(".tok-key").count()).toBe(0);
  });

  it("says what the sandbox refuses", async () => {
    const { page } = await openDashboard(sandbox, {
      hash: "#/scenarios/server-certificate-expired",
      expected: /status of 400/,
    });
    await page.getByLabel("Active for").selectOption("demo");
    await page.getByRole("button", { name: "Activate for demo" }).click();
    await page.locator(".toast", { hasText: "activate it for all" }).waitFor();
  });
});

describeInBrowser("a scenario that is being changed", () => {
  it("is kept as a draft: leaving asks, and the text is there again", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/flaky/edit", answers: [false, true, true] });
    await page.locator("#findings", { hasText: "It can be used." }).waitFor();
    await page.keyboard.type("# mine\n");
    await page.locator("#nav-clock").click();
    // No: it stays.
    await expect.poll(() => new URL(page.url()).hash).toBe("#/scenarios/flaky/edit");
    await page.locator(".cm-line", { hasText: "# mine" }).waitFor();
    await page.locator("#nav-clock").click();
    await page.locator("#big-clock").waitFor();
    await page.goBack();
    await page.locator(".cm-line", { hasText: "# mine" }).waitFor();
    await page.locator("#restored", { hasText: "left without saving" }).waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "# mine" }).waitFor();
    await page.getByRole("button", { name: "Discard it" }).click();
    await page.locator("#restored").waitFor({ state: "detached" });
    expect(await page.locator(".cm-content").innerText()).not.toContain("# mine");
    // Without changes nobody asks.
    await page.locator("#nav-clock").click();
    await page.locator("#big-clock").waitFor();
  });

  it("can be removed once it was uploaded, and the file of the same name is used again", async () => {
    await sandbox.admin.putYaml("/scenarios/mine", good.replace("Mine.", "Uploaded."));
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios/mine", answers: [true] });
    await page.locator(".purpose", { hasText: "Uploaded." }).waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.locator(".toast", { hasText: "mine was removed." }).waitFor();
    await page.getByRole("link", { name: /^mine/ }).click();
    await page.locator(".purpose", { hasText: "Mine." }).waitFor();
    expect(await page.locator("#remove-scenario").count()).toBe(0);
  });

  it("a wrong duration or id is told with an example of a right one", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clock" });
    const message = (id: string) =>
      page.evaluate((of) => (document.getElementById(of) as HTMLInputElement).validationMessage, id);
    await page.getByLabel("Advance by").fill("two hours");
    await page.keyboard.press("Enter");
    await expect.poll(() => message("advance-by")).toContain("such as 90s, 2h or -1h");
    await page.getByLabel("Advance by").fill("2h");
    await page.keyboard.press("Enter");
    await page.locator(".clock-state", { hasText: "+2 h" }).waitFor();
    await page.locator("#nav-clients").click();
    await page.getByLabel("Id of the new client").fill("my shop");
    await page.keyboard.press("Enter");
    await expect.poll(() => message("new-client-id")).toContain("such as shop-1");
  });
});
