import { expect, it } from "vitest";
import { sharedSandbox } from "./sandbox.js";

const item = { id: "1", state: "Open", createdAt: "2026-01-01T00:00:00Z" };
const sandbox = sharedSandbox({
  yaml: `lists: ${JSON.stringify({ payments: {}, tasks: { path: "/v1/tasks", items: [item], filters: { state: "state" } } })}`,
});

async function newestExplanation(): Promise<string> {
  const answer = await fetch(`${sandbox().adminUrl}/requests`);
  const { items } = (await answer.json()) as { items: { id: string; explanation: string }[] };
  return items.toSorted((a, b) => Number(b.id) - Number(a.id))[0]?.explanation ?? "";
}

it.each([
  ["/v1/payments?status=Paid", 'No row has status="Paid". Known are: '],
  ["/v1/payments?status=completed", 'No row has status="completed". Did you mean "COMPLETED"?'],
  ["/v1/tasks?state=open", 'No row has state="open".'],
])("%s gets an empty page, and the journal says why", async (path, hint) => {
  const answer = await sandbox().send(path, { token: await sandbox().token() });
  expect([answer.status, answer.json.items]).toEqual([200, []]);
  expect(await newestExplanation()).toContain(hint);
});

it.each(["/v1/payments?status=COMPLETED", "/v1/tasks?state=Open"])("%s: nothing is said", async (path) => {
  await sandbox().send(path, { token: await sandbox().token() });
  expect(await newestExplanation()).not.toContain("No row");
});
