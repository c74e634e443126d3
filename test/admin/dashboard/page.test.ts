import { beforeAll, describe, expect, it } from "vitest";
import { dashboardPage } from "../../../src/admin/dashboard/page.js";
import { startShared, type TestSandbox } from "../fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const get = (path: string, init: RequestInit = {}) => fetch(`${sandbox.sandbox.adminUrl}${path}`, init);

describe("the dashboard's page", () => {
  it("has a policy that allows only its own script", async () => {
    const answer = await get("/");
    const policy = Object.fromEntries(
      (answer.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name, ...values] = directive.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(policy).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "font-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
      "require-trusted-types-for": "'script'",
      "trusted-types": "'none'",
    });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("has nothing of the journal, and no inline script, style or handler", async () => {
    await (await sandbox.standing("demo")).get("/v1/ping?<script>alert(1)</script>", "x");
    const html = await (await get("/")).text();
    expect(html).not.toContain("alert");
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/app.js">']);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    expect(html).not.toMatch(/(src|href)="(?![#/])/);
    expect(html).toContain('<noscript><p class="notice">The dashboard needs JavaScript.</p></noscript>');
    expect(html).toContain(`data-url="${sandbox.sandbox.url}" data-signed-in="false" data-report="true"`);
  });

  it("escapes the address of the API", () => {
    const html = dashboardPage({ url: `https://"'><i>`, signedIn: true, report: false, kept: undefined });
    expect(html).toContain('data-url="https://&quot;&#39;&gt;&lt;i&gt;" data-signed-in="true" data-report="false"');
  });

  it("answers only GET and HEAD at its own paths", async () => {
    expect((await get("/", { method: "HEAD" })).status).toBe(200);
    expect(await (await get("/", { method: "HEAD" })).text()).toBe("");
    expect((await get("/", { method: "PUT" })).status).toBe(405);
    expect((await get("/session")).status).toBe(405);
    for (const path of ["/assets/", "/assets/none.js", "/assets/..%2f..%2fpackage.json", "/assets/__proto__"]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});
