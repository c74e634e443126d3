import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { version } from "../../base/files/version.js";
import type { Desk } from "./desk.js";
import { registerExam } from "./exam-tool.js";
import { registerResources } from "./resources.js";
import { registerClientTools } from "./tools/clients.js";
import { registerRequestTools } from "./tools/requests.js";
import { registerScenarioTools } from "./tools/scenarios.js";

const instructions = `A local stand-in for a business payments service, to write and repair a client (an SDK, an integration) against.
Start with create_client: it gives the base URL and the files of a client. Run the client against that, then look at
list_requests; explain_request says why a request was refused and what to change, compare_requests shows what differs
from the last good one. use_scenario makes errors happen. report says whether the client is correct.
Read the resource sandbox://interface for the interface, and sandbox://errors/CODE for an error code.`;

/** The server of the Model Context Protocol, with its tools and resources. */
export function createServer(desk: Desk): McpServer {
  const server = new McpServer(
    { name: "payments-sandbox", title: "Business Payments Sandbox", version },
    { instructions },
  );
  registerClientTools(server, desk);
  registerScenarioTools(server, desk);
  registerRequestTools(server, desk);
  if (desk.allowExam) registerExam(server);
  registerResources(server, desk);
  return server;
}
