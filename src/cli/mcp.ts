import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { version } from "../base/files/version.js";
import { startSandbox } from "../library/composition/sandbox.js";
import { adminClientOf, connectedBy } from "../library/connect-by-client.js";
import { located } from "../library/start-located.js";
import type { GivenSettings } from "../sandbox/config/settings.js";
import type { Desk } from "./mcp/desk.js";
import { registerResources } from "./mcp/resources.js";
import { serveTools } from "./mcp/tool.js";
import { toolsOf } from "./mcp/tools.js";
import { StdioTransport } from "./mcp/transport.js";
import type { McpFlags } from "./options.js";
import { inTemporaryFolder, ownConfiguration } from "./run/own-sandbox.js";

/**
 * `payments-sandbox mcp`: serves a coding agent by the Model Context Protocol over standard input and output, until the
 * input ends. It starts a sandbox of its own, or uses the one of `--admin-url`. Standard output has nothing but the
 * protocol.
 * @throws SettingError for a flag that cannot be used
 * @throws SandboxError if there is no sandbox at the URL
 */
export async function mcp(flags: GivenSettings, { adminUrl, adminToken, allowExam = false }: McpFlags): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    if (adminUrl !== undefined) return serve({ adminUrl, adminToken, folder, allowExam });
    const configuration = await ownConfiguration({ ...flags, report: "on" }, folder);
    const write = (text: string) => process.stderr.write(text);
    const start = () => startSandbox(configuration, { output: { log: write, warn: write }, ownsProcess: true });
    const sandbox = await located(configuration, start);
    try {
      await sandbox.identities;
      await serve({ adminUrl: sandbox.adminUrl, adminToken: sandbox.adminToken?.value, folder, allowExam });
    } finally {
      await sandbox.close(0);
    }
  });
}

interface Session extends Pick<Desk, "folder" | "allowExam"> {
  readonly adminUrl: string;
  readonly adminToken: string | undefined;
}

/** Serves one agent until its input ends. */
async function serve({ adminUrl, adminToken, folder, allowExam }: Session): Promise<void> {
  const admin = adminClientOf({ adminUrl, adminToken });
  const sandbox = await connectedBy(admin);
  try {
    const server = createServer({ sandbox, admin, folder, allowExam });
    const ended = Promise.race([inputEnd(), closeOf(server)]);
    await server.connect(new StdioTransport());
    await ended;
    await server.close();
  } finally {
    await sandbox.close();
  }
}

/** Resolves when the server gave up: a message was too long. */
function closeOf({ server }: McpServer): Promise<void> {
  return new Promise((resolve) => {
    server.onclose = resolve;
  });
}

/** Resolves when the agent has closed its end, or a signal asks the process to end. */
function inputEnd(): Promise<void> {
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    // The agent reads no more.
    stdout.once("error", () => resolve());
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

const instructions = `A local stand-in for a business payments service, to write and repair a client (an SDK, an integration) against.
Start with create_client: it gives the base URL and the files of a client. Run the client against that, then look at
list_requests; explain_request says why a request was refused and what to change, compare_requests shows what differs
from the last good one. use_scenario makes errors happen. report says whether the client is correct.
Read the resource sandbox://interface for the interface, and sandbox://errors/CODE for an error code.`;

/** The server of the Model Context Protocol, with its tools and resources. */
function createServer(desk: Desk): McpServer {
  const server = new McpServer(
    { name: "payments-sandbox", title: "Business Payments Sandbox", version },
    { instructions },
  );
  serveTools(server, toolsOf(desk));
  registerResources(server, desk);
  return server;
}
