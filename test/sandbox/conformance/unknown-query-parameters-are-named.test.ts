import { describe, expect, it } from "vitest";
import { startSandbox } from "../../../src/library/start.js";
import { expectError, sharedSandbox, tokenPath } from "./sandbox.js";

// The assumption request.unknown-parameters: they are ignored and named in the journal, or refused.
const ignoring = sharedSandbox();
const refusing = sharedSandbox({ yaml: "assumptions: { request.unknown-parameters: refuse }" });
const mixed = sharedSandbox({
  yaml: "{ assumptions: { request.unknown-parameters: refuse }, lists: { loose: { unknownParameters: ignore }, usual: {} } }",
});

async function newestExplanation(sandbox: typeof ignoring): Promise<string> {
  const answer = await fetch(`${sandbox().adminUrl}/requests`);
  const { items } = (await answer.json()) as { items: { id: string; explanation: string }[] };
  return items.toSorted((a, b) => Number(b.id) - Number(a.id))[0]?.explanation ?? "";
}

describe("ignored", () => {
  it.each([
    ["/v1/ping?produceEror=true", '"produceEror" (did you mean "produceError"?)'],
    ["/v1/payments?pagesize=5", '"pagesize" (did you mean "pageSize"?)'],
    ["/v1/payments?stats=PAID&x=1", '"stats" (did you mean "status"?), "x"'],
  ])("%s is answered, and the journal names it", async (path, named) => {
    const token = await ignoring().token();
    expect((await ignoring().send(path, { token })).status).toBe(200);
    expect(await newestExplanation(ignoring)).toContain(`There is no query parameter ${named}.`);
  });

  it.each([
    ["/v1/payments?pageSize=0&stats=PAID", "INVALID_PAGE_SIZE", '"stats" (did you mean "status"?)'],
    ["/v1/payments?fromCreatedAt=x&%FF=1&y=1", "VALIDATION_ERROR", '"y"'],
    ["/v1/payments?cursor=x&y=1", "INVALID_CURSOR", '"y"'],
    ["/v1/ping?produceError=x&y=1", "VALIDATION_ERROR", '"y"'],
  ])("%s is refused for another one, and the journal names it in addition", async (path, code, named) => {
    const answer = await ignoring().send(path, { token: await ignoring().token() });
    expectError(answer, 400, code);
    // It was not a reason for the refusal.
    expect(answer.headers["sandbox-assumed"] ?? "").not.toContain("request.unknown-parameters");
    expect(await newestExplanation(ignoring)).toContain(`There is no query parameter ${named}.`);
  });

  it("known parameters are not named", async () => {
    const token = await ignoring().token();
    for (const path of ["/v1/ping?produceError=false", "/v1/payments?pageSize=5&status=PENDING"]) {
      await ignoring().send(path, { token });
      expect(await newestExplanation(ignoring)).not.toContain("no query parameter");
    }
  });
});

describe("refused", () => {
  it.each(["/v1/ping?produceEror=true", "/v1/payments?pagesize=5"])("%s", async (path) => {
    const answer = await refusing().send(path, { token: await refusing().token() });
    expectError(answer, 400, "VALIDATION_ERROR");
    expect(answer.json.message).toMatch(/^There is no query parameter "(produceEror|pagesize)"\.$/);
    expect(answer.headers["sandbox-assumed"]).toBe("request.unknown-parameters, checks.order");
    expect(await newestExplanation(refusing)).toContain("did you mean");
  });

  it.each([
    ["/v1/ping?produceError=x&y=1", "ping.produce-error, checks.order"],
    ["/v1/ping?produceError=x", "ping.produce-error, checks.order"],
    ["/v1/payments?pageSize=0&y=1", undefined],
    ["/v1/payments?pageSize=x&y=1", "list.page-size-format, checks.order"],
    ["/v1/payments?pageSize=x", "list.page-size-format, checks.order"],
    ["/v1/ping?produceError=true&y=1", "request.unknown-parameters, checks.order"],
  ])("last of all: %s", async (path, marks) => {
    const answer = await refusing().send(path, { token: await refusing().token() });
    expect(answer.headers["sandbox-assumed"]).toBe(marks);
  });

  it("at the token endpoint, too", async () => {
    const answer = await refusing().postToken(undefined, {}, `${tokenPath}?x=1`);
    expect([answer.status, answer.json.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("correct requests are answered as usual", async () => {
    const token = await refusing().token();
    expect((await refusing().send("/v1/payments?pageSize=5&status=PENDING", { token })).status).toBe(200);
    expect((await refusing().send("/v1/ping?produceError=false", { token })).status).toBe(200);
  });
});

it("a list may do something else than the other operations", async () => {
  const token = await mixed().token();
  const status = async (path: string) => (await mixed().send(`${path}?x=1`, { token })).status;
  expect(await status("/v1/ping")).toBe(400);
  expect(await status("/v1/loose")).toBe(200);
  expect(await status("/v1/usual")).toBe(400);
});

it("startSandbox accepts both assumptions as options", async () => {
  const options = { "request.unknown-parameters": "refuse", "list.dates": { format: "both" } } as const;
  await using sandbox = await startSandbox({ assumptions: options });
  expect(sandbox.url).toMatch(/^https:/);
});
