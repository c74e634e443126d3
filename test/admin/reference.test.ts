import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorRequest } from "../../src/sandbox/errors/error-facts.js";
import { errorCodes, errorFacts } from "../../src/sandbox/errors.js";
import { root } from "../documentation/markdown.js";
import { sharedSandbox } from "../sandbox/conformance/sandbox.js";

const sandbox = sharedSandbox({
  yaml: "assumptions: { token.lifetime: 200 }",
});

const get = (path: string, accept = "*/*") => fetch(`${sandbox().adminUrl}${path}`, { headers: { Accept: accept } });

describe("the request of each page about an error code causes it", () => {
  it.each(errorCodes.filter((code) => errorFacts(code).request))("%s", async (code) => {
    const answer = await sandbox().sendErrorRequest(errorFacts(code).request as ErrorRequest);
    expect(answer.json.code).toBe(code);
  });

  it("or its scenario", async () => {
    const [code] = errorCodes.filter((each) => !errorFacts(each).request);
    const json = { "Content-Type": "application/json" };
    const yaml = { "Content-Type": "application/yaml" };
    const { adminUrl } = sandbox();
    const page = await (await get(`/errors/${code}`)).text();
    const [, uploaded = ""] = /--data-binary '([^']*)'/.exec(page) ?? [];
    const [, chosen = ""] = /clients\/demo\/scenario .* -d '([^']*)'/.exec(page) ?? [];
    await fetch(`${adminUrl}/scenarios/one-error`, { method: "PUT", headers: yaml, body: uploaded });
    const token = await sandbox().token();
    await fetch(`${adminUrl}/clients/demo/scenario`, { method: "PUT", headers: json, body: chosen });
    const answer = await sandbox().send("/v1/payments", { token });
    await fetch(`${adminUrl}/clients/demo/scenario`, { method: "DELETE" });
    expect(answer.json.code).toBe(code);
  });
});

describe("the admin port serves", () => {
  it.each(["errors/INVALID_CURSOR", "checks/token.reused"])(
    "%s: as Markdown, and as HTML for a browser",
    async (path) => {
      const [markdown, html] = [await get(`/${path}`), await get(`/${path}`, "text/html,*/*;q=0.8")];
      expect(await markdown.text()).toMatch(new RegExp(`^# ${path.split("/")[1]}\n\n`));
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await html.text()).toContain(`<h1>${path.split("/")[1]}</h1>`);
    },
  );

  it("a page for each assumption: what is left open, what the sandbox does, and its present setting", async () => {
    const { items } = (await (await get("/assumptions")).json()) as { items: Record<string, string>[] };
    for (const { id, section, point, choice, why } of items) {
      const text = await (await get(`/assumptions/${id}`)).text();
      for (const part of [`# ${id}`, `§${section}`, point, choice, why]) expect(text).toContain(part);
    }
    const changed = await (await get("/assumptions/token.lifetime")).text();
    expect(changed).toContain('`assumptions["token.lifetime"]` of `sandbox.yaml`');
    expect(changed).toContain("Here it is set to `200`.");
    expect(await (await get("/assumptions/token.scopes")).text()).not.toContain("Here it is set");
    expect(await (await get("/assumptions/token.scopes", "text/html")).text()).toContain("<h1>token.scopes</h1>");
  });

  it.each([
    ["/errors/INVALID_CURSER", 'There is no error code "INVALID_CURSER". Did you mean "INVALID_CURSOR"?'],
    ["/errors/toString", 'There is no error code "toString".'],
    ["/checks/constructor", 'There is no check "constructor".'],
    [
      "/assumptions/bearer.missing-tokens",
      'There is no assumption "bearer.missing-tokens". Did you mean "bearer.missing-token"?',
    ],
  ])("%s: 404, and the nearest name", async (path, message) => {
    const answer = await get(path, "text/html");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
    expect(await answer.json()).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining(message) });
  });
});

it("llms.txt names every page that the package has, and every error code", async () => {
  const text = await (await get("/llms.txt")).text();
  expect(text).toBe(readFileSync(join(root, "llms.txt"), "utf8"));
  const shipped = ["docs", "docs/guide", "docs/reference"].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : [])),
  );
  const notInPackage = ["docs/architecture.md", "docs/releasing.md"];
  for (const page of shipped.filter((path) => path !== "docs/README.md" && !notInPackage.includes(path)))
    expect(text).toContain(`(${page})`);
  for (const code of errorCodes) expect(text).toContain(`(/errors/${code})`);
});
