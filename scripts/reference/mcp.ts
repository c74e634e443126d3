import * as z from "zod";
import { lowerFirst } from "../../src/base/text/letters.js";
import type { Desk } from "../../src/cli/mcp/desk.js";
import { resources } from "../../src/cli/mcp/resources.js";
import { toolsOf } from "../../src/cli/mcp/tools.js";
import type { JsonSchema } from "../generate-scenarios.js";
import { meanings } from "../markdown.js";
import { parameterMeanings } from "./admin-api.js";

/** The tools of `payments-sandbox mcp`, with their arguments, and its resources. */
export function mcpTables() {
  return { "mcp-tools": tools, "mcp-resources": resourceTable };
}

/** An argument that is a parameter of the admin API has its meaning, which is told there. */
function tools(): string {
  const known = new Set(parameterMeanings());
  // Only a call uses the desk.
  return toolsOf({ allowExam: true } as Desk)
    .map(({ name, description, arguments: schema }) => {
      const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
      const given = Object.entries(properties).map(([key, member]) => {
        const { description: meaning = "" } = member;
        const said =
          meaning === "" || known.has(meaning)
            ? ""
            : ` (${lowerFirst(meaning).replace(/\.$/, "").replace(". Default", "; default")})`;
        known.add(meaning);
        return `\`${key}\`${required.includes(key) ? "" : "?"}${said}`;
      });
      return [`### \`${name}\``, given.join(", "), description].filter(Boolean).join("\n\n");
    })
    .join("\n\n");
}

function resourceTable(): string {
  const rows = Object.entries(resources).flatMap(([name, facts]) => [
    [`\`sandbox://${name}\``, facts.description] as const,
    ...("each" in facts ? [[`\`sandbox://${name}/ID\``, facts.each.description] as const] : []),
  ]);
  return meanings(rows);
}
