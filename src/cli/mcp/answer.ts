import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Longest text of a member, in characters: an agent has to read all of it. */
const longestText = 4000;

/** The answer of a tool: facts as JSON. */
export function factsAnswer(facts: unknown): CallToolResult {
  return textAnswer(JSON.stringify(facts, (_name, value) => shortened(value), 2));
}

export function textAnswer(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function shortened(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= longestText) return value;
  return `${value.slice(0, longestText)}… (${value.length - longestText} more characters)`;
}
