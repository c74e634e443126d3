import type { Desk } from "./desk.js";
import type { Tool } from "./tool.js";
import { callTools } from "./tools/calls.js";
import { clientTools } from "./tools/clients.js";
import { examTool } from "./tools/exam.js";
import { requestTools } from "./tools/requests.js";
import { scenarioTools } from "./tools/scenarios.js";

/** Every tool. docs/reference/mcp.md derives from them. */
export function toolsOf(desk: Desk): readonly Tool[] {
  return [
    ...clientTools(desk),
    ...scenarioTools(desk),
    ...requestTools(desk),
    ...callTools(desk),
    ...(desk.allowExam ? [examTool] : []),
  ];
}
