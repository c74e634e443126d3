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
    await page.locator(".now-active.on", { hasText: "maintenance" }).waitFor();
    await page.locator(".chip.on", { hasText: "maintenance" }).waitFor();
    expect((await demo.requestToken()).status).toBe(503);
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await openRow("SERVICE_UNAVAILABLE");
    const replay = await page.locator(".code", { hasText: "Sandbox-Replay: maintenance/" }).first().innerText();
    expect(replay).toMatch(/^Sandbox-Replay: maintenance\/[\w-]+#1;seed=/);
    await page.getByRole("link", { name: "maintenance", exact: true }).click();
    await page.getByRole("button", { name: "Stop for all clients" }).click();
    await page.locator(".now-active:not(.on)").waitFor();
    expect((await demo.ping()).status).toBe(200);
  });

  it("activates it for one client, and the others continue", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/scenarios" });
    await page.getByLabel("Active for").selectOption("demo");
    await page.getByRole("button", { name: "Activate example-error" }).click();
    await page.locator(".now-active.on", { hasText: "its own choice" }).waitFor();
    expect((await demo.ping()).json.code).toBe("EXAMPLE_ERROR");
    expect((await other.ping()).status).toBe(200);
    await page.getByRole("button", { name: "Follow all" }).click();
    await page.locator(".now-active", { hasText: "as for all" }).waitFor();
    expect((await demo.ping()).status).toBe(200);
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
    expect(await page.locator(".yaml-line.problem").innerText()).toContain("wen:");
    expect(await page.locator(".problems").innerText()).toContain("the last good one stays in force");
    writeFileSync(file, good);
    await page.locator(".problems").waitFor({ state: "detached" });
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
