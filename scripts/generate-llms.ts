import { llmsText } from "../src/admin/reference/llms.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  return new Map([["llms.txt", llmsText()]]);
}
