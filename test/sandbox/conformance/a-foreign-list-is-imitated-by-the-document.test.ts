import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { goodForm, openSandbox } from "./sandbox.js";

// docs/guide/lists.md: its configuration, its requests and its answers.
const page = readFileSync(join(process.cwd(), "docs/guide/lists.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text.trim());
const [items = "", generated = ""] = blocks("yaml");
const form = { "Content-Type": "application/x-www-form-urlencoded" };

it("each request of the document gets the answer of the document", async () => {
  const sandbox = await openSandbox({ yaml: items });
  const { json: token } = await sandbox.unchecked("/business/api/oauth/v2/oauth-token", {
    method: "POST",
    body: goodForm(),
    headers: form,
  });
  const requests = blocks("http").map((text) => text.replace("GET ", ""));
  const answers = blocks("json").map((text) => JSON.parse(text));
  expect([requests.length, answers.length]).toEqual([3, 3]);
  let next = "";
  for (const [index, request] of requests.entries()) {
    const { json } = await sandbox.unchecked(request.replace("NEXT", next), { token: token.access_token });
    next = json.paging?.next ?? next;
    if (json.paging?.next) json.paging.next = "NEXT";
    expect(json).toEqual(answers[index]);
  }
  await sandbox.close();
});

it("the generated rows of the document can be walked", async () => {
  const sandbox = await openSandbox({ yaml: generated });
  const { json } = await sandbox.send("/accounts/acc-1/transfers?pageSize=1", { token: await sandbox.token() });
  expect(json.items[0]).toEqual({
    id: expect.stringMatching(/^t_/),
    accountId: "acc-1",
    direction: expect.stringMatching(/^(in|out)$/),
    amount: expect.stringMatching(/^\d+\.\d\d$/),
    note: expect.toSatisfy((note) => note === null || note === "Transfer 5000 of acc-1"),
    bookedAt: "2026-03-01T12:00:00.000Z",
  });
  await sandbox.close();
});
