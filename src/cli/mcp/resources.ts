import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { errorCodes, errorFacts } from "../../sandbox/errors.js";
import type { Desk } from "./desk.js";

const scheme = "sandbox://";

const json = "application/json";
const markdown = "text/markdown";

interface ResourceFacts {
  readonly mimeType: string;
  readonly description: string;
  /** The resources below it, `sandbox://NAME/ID`. */
  readonly each?: { readonly mimeType: string; readonly description: string };
}

/** Every resource, by its name in `sandbox://NAME`. docs/reference/mcp.md derives from it. */
export const resources = {
  interface: { mimeType: json, description: "The interface as OpenAPI 3.1, with a mark on each assumption" },
  assumptions: { mimeType: json, description: "What the interface leaves open, and what the sandbox does there" },
  errors: {
    mimeType: markdown,
    description: "The error codes",
    each: {
      mimeType: markdown,
      description: "Its meaning, its causes, how to fix the client, how to cause it",
    },
  },
  checks: {
    mimeType: markdown,
    description: "What the report and the exam check",
    each: { mimeType: markdown, description: "Its meaning, and how to fix the client" },
  },
  scenarios: {
    mimeType: json,
    description: "All scenarios",
    each: { mimeType: "application/yaml", description: "The text of a scenario" },
  },
} as const satisfies Readonly<Record<string, ResourceFacts>>;

/** Resources: the interface, and what the sandbox says about itself. */
export function registerResources(server: McpServer, { sandbox, admin }: Desk): void {
  const single = (name: keyof typeof resources, read: () => Promise<string>) => {
    const { mimeType, description } = resources[name];
    server.registerResource(name, scheme + name, { description, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await read() }],
    }));
  };
  const each = (
    name: "errors" | "checks" | "scenarios",
    ids: () => readonly string[] | Promise<readonly string[]>,
    read: (id: string) => Promise<string>,
  ) => {
    const { mimeType, description } = resources[name].each;
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

  single("interface", () => admin.text("/openapi.json"));
  single("assumptions", async () => JSON.stringify(await sandbox.assumptions(), null, 2));
  single("errors", async () =>
    errorCodes.map((code) => `- ${code} (${errorFacts(code).status}): ${errorFacts(code).message}\n`).join(""),
  );
  each(
    "errors",
    () => errorCodes,
    (code) => admin.text(`/errors/${encodeURIComponent(code)}`),
  );
  const checks = async () => (await sandbox.report()).drills.flatMap((drill) => drill.checks);
  single("checks", async () => (await checks()).map(({ id, level, fix }) => `- ${id} (${level}): ${fix}\n`).join(""));
  each(
    "checks",
    async () => (await checks()).map(({ id }) => id),
    (id) => admin.text(`/checks/${encodeURIComponent(id)}`),
  );
  single("scenarios", async () => JSON.stringify(await sandbox.scenarios(), null, 2));
  each(
    "scenarios",
    async () => (await sandbox.scenarios()).map(({ name }) => name),
    (name) => admin.text(`/scenarios/${encodeURIComponent(name)}`),
  );
}
