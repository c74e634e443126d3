import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { errorCodes, errorFacts } from "../../sandbox/errors.js";
import type { Desk } from "./desk.js";

const scheme = "sandbox://";

/** Resources: the interface, and what the sandbox says about itself. */
export function registerResources(server: McpServer, { sandbox, admin }: Desk): void {
  const json = "application/json";
  const markdown = "text/markdown";
  const single = (name: string, mimeType: string, description: string, read: () => Promise<string>) =>
    server.registerResource(name, scheme + name, { description, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await read() }],
    }));
  const each = (
    name: string,
    mimeType: string,
    description: string,
    ids: () => readonly string[] | Promise<readonly string[]>,
    read: (id: string) => Promise<string>,
  ) => {
    const list = async () => ({
      resources: (await ids()).map((id) => ({ name: id, uri: `${scheme}${name}/${id}`, mimeType })),
    });
    const complete = { id: async (begun: string) => (await ids()).filter((id) => id.startsWith(begun)) };
    server.registerResource(
      `one of ${name}`,
      new ResourceTemplate(`${scheme}${name}/{id}`, { list, complete }),
      { description, mimeType },
      async (uri, { id }) => ({ contents: [{ uri: uri.href, mimeType, text: await read(String(id)) }] }),
    );
  };

  single("interface", json, "The interface as OpenAPI 3.1, with a mark on each assumption", () =>
    admin.text("/openapi.json"),
  );
  single("assumptions", json, "What the interface leaves open, and what the sandbox does there", async () =>
    JSON.stringify(await sandbox.assumptions(), null, 2),
  );
  single("errors", markdown, "The error codes", async () =>
    errorCodes.map((code) => `- ${code} (${errorFacts(code).status}): ${errorFacts(code).message}\n`).join(""),
  );
  each(
    "errors",
    markdown,
    "What an error code means, what causes it, how to fix the client, how to cause it",
    () => errorCodes,
    (code) => admin.text(`/errors/${encodeURIComponent(code)}`),
  );
  const checks = async () => (await sandbox.report()).drills.flatMap((drill) => drill.checks);
  single("checks", markdown, "What the report and the exam check", async () =>
    (await checks()).map(({ id, level, fix }) => `- ${id} (${level}): ${fix}\n`).join(""),
  );
  each(
    "checks",
    markdown,
    "What a check means, and how to fix the client",
    async () => (await checks()).map(({ id }) => id),
    (id) => admin.text(`/checks/${encodeURIComponent(id)}`),
  );
  single("scenarios", json, "The scenarios that can be chosen", async () =>
    JSON.stringify(await sandbox.scenarios(), null, 2),
  );
  each(
    "scenarios",
    "application/yaml",
    "The text of a scenario",
    async () => (await sandbox.scenarios()).map(({ name }) => name),
    (name) => admin.text(`/scenarios/${encodeURIComponent(name)}`),
  );
}
