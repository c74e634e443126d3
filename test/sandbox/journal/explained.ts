import type { TestSandbox } from "../../admin/fixture.js";

/** The explanation of the newest exchange. */
export async function newestExplanation({ admin }: TestSandbox): Promise<string> {
  return (await admin.get("/requests?pageSize=1")).json.items[0].explanation;
}
