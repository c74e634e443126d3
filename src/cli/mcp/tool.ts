import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ToolAnnotations,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { suggest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { validate } from "../../base/yaml/issues.js";
import { mostProblems } from "../../base/yaml/problem.js";
import { ended, paragraph } from "../../sandbox/journal/format.js";
import { failedAnswer } from "./answer.js";

/** How a call is cancelled, and how its progress is told. */
type Progress = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One tool. The agent sees all of it but `call`. */
export interface Tool<Arguments extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Strict, so that an argument that the tool does not know is refused. */
  readonly arguments: Arguments;
  readonly annotations?: ToolAnnotations;
  /**
   * @param given as the agent sent it, because the admin API reads texts such as durations itself
   * @throws Error whose message the agent gets
   */
  call(given: z.input<Arguments>, progress: Progress): Promise<CallToolResult>;
}

/** Makes a tool; infers the type of its arguments. */
export function tool<Arguments extends z.ZodObject>(definition: Tool<Arguments>): Tool {
  return definition as Tool;
}

/**
 * Offers tools. The SDK's own `registerTool` ignores unknown arguments, and repeats what it refuses.
 */
export function serveTools({ server }: McpServer, tools: readonly Tool[]): void {
  const byName = new Map(tools.map((each) => [each.name, each]));
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ call: _call, arguments: schema, ...shown }) => ({ ...shown, inputSchema: schemaOf(schema) })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }, progress) => {
    try {
      const called = byName.get(name);
      if (called === undefined)
        throw new Error(`There is no tool ${quote(name)}. ${suggest(name, [...byName.keys()])}`);
      refuseWrong(given, called);
      return await called.call(given, progress);
    } catch (error) {
      return failedAnswer((error as Error).message);
    }
  });
}

function refuseWrong(given: unknown, { name, arguments: schema }: Tool): void {
  const result = validate(given, schema);
  if (result.success) return;
  const problems = result.issues.slice(0, mostProblems).map(({ message }) => ended(message));
  throw new Error(`In the arguments of ${name}: ${paragraph(...problems)}`);
}

function schemaOf(schema: z.ZodObject) {
  return z.toJSONSchema(schema, { io: "input" }) as { type: "object"; properties: Record<string, object> };
}
