/** @module-tag night */

import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { issueCertificate } from "../../support/certificates.js";
import { openTcp, openTls } from "../../support/raw-client.js";
import { eventually, startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser, openDashboard } from "./browser.js";

/** Markup for every way in which a careless page could interpret text. */
const markup = (field: string) =>
  `${field}"'><img src=x onerror=globalThis.pwned=1><script>globalThis.pwned=1</script><svg/onload=globalThis.pwned=1>{{7*7}}`;

/**
 * The same with characters that only encoded text can contain: null bytes, marks of the writing direction, what shells
 * expand.
 */
const encoded = (field: string) => `${markup(field)}\0\u202e\u2067\ufeff\u2028'\`touch x\`$(touch x)\\`;

/** The same without characters that end a request line or its target. */
const inTarget = (field: string) => markup(field).replaceAll(" ", "/");

let sandbox: TestSandbox;
let port: number;
const unregistered = issueCertificate({ commonName: markup("subject-of-a-stranger\u202e") });
const own = issueCertificate({ commonName: markup("subject-of-a-client") });

type Identity = { readonly cert: string; readonly key: string };

async function send(lines: readonly string[], body = "", identity?: Identity, servername?: string): Promise<void> {
  const client = await openTls({
    port,
    ca: sandbox.sandbox.caPem,
    ...identity,
    ...(servername !== undefined && { servername, checkServerIdentity: () => undefined }),
  });
  const length = Buffer.byteLength(body);
  const head = [...lines, "Host: localhost", "Connection: close", ...(length > 0 ? [`Content-Length: ${length}`] : [])];
  await client.sendAndClose(`${head.join("\r\n")}\r\n\r\n${body}`);
}

beforeAll(async () => {
  sandbox = await startShared();
  port = Number(new URL(sandbox.sandbox.url).port);
  const { json } = await sandbox.admin.post("/clients", {
    clientId: "hostile",
    certificate: own.cert,
    scopes: ["read", markup("scope-of-a-client").replaceAll(/[ "]/g, "/")],
  });
  expect(json.clientId).toBe("hostile");
  await sandbox.admin.putYaml(
    "/scenarios/hostile",
    [
      `description: ${JSON.stringify(markup("scenario-description"))}`,
      `# ${markup("scenario-comment")}`,
      "rules:",
      "  - name: a",
      "    when: { headers: { X-Fault: yes } }",
      `    then: { respond: { status: 418, headers: { X-Answer: ${JSON.stringify(markup("answer-header"))} }, body: ${JSON.stringify(markup("answer-body"))} } }`,
      "  - name: long",
      "    when: { headers: { X-Fault: long } }",
      `    then: { respond: { status: 418, body: ${JSON.stringify(markup("long-body").repeat(300))} } }`,
    ].join("\n"),
  );
  const demo = await sandbox.standing("demo");
  const token = await demo.token();
  await demo.get("/v1/ping", token, { "Sandbox-Scenario": "hostile", "X-Fault": "yes" });
  await demo.get("/v1/ping", token, { "Sandbox-Scenario": "hostile", "X-Fault": "long" });
  await demo.get("/v1/ping", token, { "Sandbox-Scenario": markup("scenario-header") });
  await demo.get("/v1/ping", token, { "Sandbox-Replay": markup("replay-header") });
  await demo.get("/v1/ping", token, { "X-Correlation-ID": markup("correlation-id") });
  await demo.get("/v1/ping", token, { "User-Agent": markup("user-agent"), "X-Other": markup("other-header") });
  await demo.get("/v1/ping", markup("access-token").replaceAll(" ", "_"));
  await demo.get(`/v1/ping?${encodeURIComponent(encoded("unknown-parameter"))}=1`, token);
  await demo.get(`/v1/ping?produceError=${encodeURIComponent(encoded("boolean"))}`, token);
  await demo.get(`/v1/payments?cursor=${encodeURIComponent(encoded("cursor"))}`, token);
  await demo.get(`/v1/payments?fromCreatedAt=${encodeURIComponent(encoded("date"))}`, token);
  await demo.requestToken({ client_id: encoded("client-id") });
  await demo.requestToken({ grant_type: encoded("grant-type") });
  await demo.requestToken({ scope: encoded("form-scope"), [encoded("form-name")]: encoded("form-value") });
  await send([`GET /${inTarget("path")}?${inTarget("query-name")}=${inTarget("query-value")} HTTP/1.1`]);
  await send(
    [
      "POST /oauth/v2/oauth-token HTTP/1.1",
      `Content-Type: ${markup("content-type")}`,
      `Authorization: Basic ${markup("credentials")}`,
    ],
    "x=1",
  );
  const form = "grant_type=client_credentials&client_id=hostile&scope=read";
  const head = ["POST /oauth/v2/oauth-token HTTP/1.1", "Content-Type: application/x-www-form-urlencoded"];
  await send(head, form, unregistered);
  await send(head, form, own);
  await send(["GET /v1/ping HTTP/1.1"], "", undefined, inTarget("server-name").slice(0, 200));
  const silent = await openTls({
    port,
    ca: sandbox.sandbox.caPem,
    servername: inTarget("unused-server-name").slice(0, 200),
    checkServerIdentity: () => undefined,
    ...unregistered,
  });
  silent.socket.end();
  await silent.closed;
  await (await openTcp(port)).sendAndClose(`${markup("not-http")}\r\n\r\n`);
});

/** What no text of a client may cause. */
async function expectNoMarkup(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    pwned: "pwned" in globalThis,
    elements: [...document.querySelectorAll("img, iframe, object, embed, script, style, base, [onerror], [onload]")]
      .filter((element) => element.getAttribute("src") !== "/assets/app.js")
      .map((element) => element.outerHTML),
    computed: document.body.textContent?.includes("49"),
  }));
  expect(found).toMatchObject({ pwned: false, elements: [] });
}

describeInBrowser("text of clients", () => {
  it("is text in the list and in every detail", async () => {
    const { page } = await openDashboard(sandbox);
    await page.locator(".row").nth(18).waitFor();
    let seen = "";
    const { items } = (await sandbox.admin.get("/journal?pageSize=100")).json;
    for (const { key } of items) {
      await page.locator("#list").focus();
      await page.keyboard.press("ArrowDown");
      const row = page.locator(`#${key}`);
      await page.locator(`#detail[data-key=${key}] #why`).waitFor();
      for (const tab of key.startsWith("r") ? ["Why", "Request", "Answer", "Certificate"] : []) {
        await page.getByRole("tab", { name: tab }).click();
        await page.locator(`#tab-panel[data-tab=${tab.toLowerCase()}]`).waitFor();
        if (tab === "Request" && !(await row.innerText()).includes("Not HTTP")) {
          await page.locator("#detail", { hasText: "Copy as" }).waitFor();
        }
        seen += await page.locator("#detail").innerText();
      }
      if (key.startsWith("r")) await page.getByRole("tab", { name: "Why" }).click();
      seen += await page.locator("#detail").innerText();
      seen += await row.innerText();
      await expectNoMarkup(page);
    }
    for (const field of [
      "path",
      "query-name",
      "query-value",
      "scenario-header",
      "replay-header",
      "correlation-id",
      "user-agent",
      "other-header",
      "boolean",
      "cursor",
      "date",
      "client-id",
      "grant-type",
      "form-scope",
      "form-name",
      "form-value",
      "content-type",
      "subject-of-a-stranger",
      "subject-of-a-client",
      "answer-header",
      "answer-body",
      "long-body",
      "unused-server-name",
    ]) {
      expect(seen).toContain(`${field}`);
    }
    expect(seen).toContain("<script>globalThis.pwned=1</script>");
    // Characters that would change the direction of the text around them are shown in a visible form.
    expect(seen).not.toMatch(/[\0\u202e\u2067\ufeff]/);
    for (const number of ["0", "202e", "2067", "feff"]) expect(seen).toContain(`\\u{${number}}`);
    // Credentials are not shown at all.
    expect(seen).not.toMatch(/access-token"|credentials"/);
  });

  it("is text where requests are compared and turned into scenarios", async () => {
    const { page } = await openDashboard(sandbox);
    const { items } = (await sandbox.admin.get("/requests?pageSize=100")).json;
    const [first, ...others] = items.filter(({ method }: { method: string }) => method !== "-");
    const go = async (hash: string, sign: string) => {
      await page.evaluate((address) => {
        location.hash = address;
      }, hash);
      await page.locator(sign).first().waitFor();
      await expectNoMarkup(page);
    };
    let seen = "";
    for (const { id } of others) {
      await go(`#/requests/r${first.id}/with/r${id}`, `.compared a[href="#/requests/r${id}"]`);
      seen += await page.locator("#detail").innerText();
    }
    for (const field of [
      "query-name",
      "correlation-id",
      "user-agent",
      "form-name",
      "subject-of-a-stranger",
      "answer-header",
    ])
      expect(seen).toContain(field);
    for (const { id } of others.filter((_item: unknown, index: number) => index % 4 === 0)) {
      await go(`#/scenarios/from/r${id}`, ".editor-page h2");
      await page.locator("#findings", { hasText: "It can be used." }).waitFor();
      await expectNoMarkup(page);
    }
    await go("#/scenarios/hostile/edit", ".editor-page h2");
    await page.locator(".cm-content", { hasText: "scenario-comment" }).waitFor();
    await expectNoMarkup(page);
  });

  it("is text on the other pages", async () => {
    const { page } = await openDashboard(sandbox, { hash: "#/clients/hostile" });
    await page.locator(".main", { hasText: "subject-of-a-client" }).waitFor();
    expect(await page.locator(".main").innerText()).toContain("scope-of-a-client");
    await expectNoMarkup(page);
    await page.goto(`${sandbox.sandbox.adminUrl}/#/scenarios/hostile`);
    await page.locator("pre", { hasText: "scenario-comment" }).waitFor();
    expect(await page.locator(".purpose").innerText()).toContain("scenario-description");
    await expectNoMarkup(page);
    await page.goto(`${sandbox.sandbox.adminUrl}/#/report`);
    await page.locator("#check-request\\.parameters", { hasText: "unknown-parameter" }).waitFor();
    await expectNoMarkup(page);
  });

  it("is text in the address of the page", async () => {
    const { page } = await openDashboard(sandbox);
    for (const view of ["requests", "report", "clients", "clients/misfits", "scenarios"]) {
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `#/${view}/${encodeURIComponent(markup("address"))}`,
      );
      await eventually(async () => (await page.locator(`nav [aria-current]`).count()) === 1 || undefined);
      await page.waitForTimeout(150);
      await expectNoMarkup(page);
    }
  });
});
