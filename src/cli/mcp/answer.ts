import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Longest text of a member, and of an error, in characters: an agent has to read all of it. */
export const longestText = 4000;

/** The answer of a tool: facts as JSON. */
export function factsAnswer(facts: unknown): CallToolResult {
  return textAnswer(JSON.stringify(facts, (_name, value) => (typeof value === "string" ? shortened(value) : value), 2));
}

export function textAnswer(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** The answer of a tool that could not do what it was asked. It may repeat what the agent sent. */
export function failedAnswer(message: string): CallToolResult {
  return { ...textAnswer(shortened(message)), isError: true };
}

/** A text of bounded length, with the number of characters that it lacks. */
export function shortened(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}… (${text.length - longestText} more characters)`;
}
