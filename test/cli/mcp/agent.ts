import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { inject } from "vitest";
import { afterFile } from "../../support/cleanups.js";
import { patience } from "../../support/patience.js";
import { workFolder } from "../command.js";
import { temporary } from "../run/sandboxed.js";

/** An agent: the SDK's own client, over the pipes of a new process. */
export function agent(...flags: readonly string[]) {
  return agentWith({}, ...flags);
}

/** The same with variables in the environment of the process. */
export async function agentWith(variables: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const { env } = temporary();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [inject("built").cli, "mcp", ...flags],
    env: { PATH: process.env["PATH"] ?? "", ...env, ...variables },
    cwd: workFolder(),
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  // The SDK would give up after a minute.
  const options = { timeout: patience };
  await client.connect(transport, options);
  afterFile(() => client.close());
  return {
    client,
    /** What a tool answers: its texts. */
    call: async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args }, undefined, options);
      const texts = (content as readonly { readonly text: string }[]).map(({ text }) => text);
      return { isError, text: texts.join("\n"), json: () => JSON.parse(texts[0] ?? "") };
    },
    read: async (uri: string) => {
      const [first] = (await client.readResource({ uri }, options)).contents;
      return first !== undefined && "text" in first ? first.text : "";
    },
  };
}
