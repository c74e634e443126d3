import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import type { Duration } from "../../../base/text/duration.js";
import type { ClientHandle, ClockControl } from "../../../library/client-handle.js";
import { environmentVariables } from "../../../sandbox/pki/environment.js";
import { identityPem } from "../../../sandbox/pki/profiles.js";
import { factsAnswer } from "../answer.js";
import type { Desk } from "../desk.js";

const clientId = z.string().describe("The client's id, such as demo");
const duration = z.string().describe("A duration, such as 90s, 10m, 1h or 30d");

/** Tools for clients: their files, clocks, certificates, and whether they are correct. */
export function registerClientTools(server: McpServer, { sandbox, folder }: Desk): void {
  const made = new Map<string, ClientHandle>();
  const clientOf = async (id: string) => made.get(id) ?? sandbox.client(id);

  server.registerTool(
    "create_client",
    {
      title: "Make a client",
      description:
        "Makes a client with its own certificate, clock, scenario and journal, and writes its files. Answers with the environment variables that a program needs: base URL, client id, and paths of the CA, the certificate and its key.",
      inputSchema: {
        clientId: z.string().optional().describe("Generated when left out"),
        scopes: z.array(z.string()).optional().describe('["read"] when left out'),
        validFor: duration.optional().describe("How long the certificate is valid; about a year when left out"),
      },
      annotations: { destructiveHint: false },
    },
    async ({ validFor, ...options }) => {
      const client = await sandbox.createClient({ ...options, validFor: validFor as Duration | undefined });
      made.set(client.clientId, client);
      return factsAnswer(await filesOf(client, sandbox, folder));
    },
  );

  server.registerTool(
    "rotate_certificate",
    {
      title: "Replace a client's certificate",
      description:
        "Makes a new key and certificate for a client that create_client made, and replaces its files. The old certificate and its tokens are refused after the overlap. Shows whether the program takes its new files without a restart.",
      inputSchema: {
        client: clientId,
        overlap: duration.optional().describe("How long the old certificate is still accepted; 0s when left out"),
        validFor: duration.optional(),
      },
    },
    async ({ client: id, overlap = "0s", validFor }) => {
      const before = made.get(id);
      if (before === undefined)
        throw new Error(`create_client did not make "${id}" in this session. Make a client first.`);
      const client = await before.rotate({
        overlap: overlap as Duration,
        validFor: validFor as Duration | undefined,
      });
      made.set(id, client);
      return factsAnswer({ thumbprint: client.thumbprint, ...(await filesOf(client, sandbox, folder)) });
    },
  );

  server.registerTool(
    "move_clock",
    {
      title: "Move a clock",
      description:
        "Moves the clock of one client, or of the whole sandbox, so that tokens and certificates expire without waiting. Give exactly one of advance, set, freeze and reset.",
      inputSchema: {
        client: clientId.optional().describe("The client; the whole sandbox when left out"),
        advance: duration.optional().describe("Move forward by this; with a minus, back"),
        set: z.string().optional().describe("Set to this instant (RFC 3339); it runs on from there"),
        freeze: z.string().optional().describe("Stop at this instant (RFC 3339), or with an empty text where it is"),
        reset: z.boolean().optional().describe("Return to real time"),
      },
    },
    async ({ client, ...move }) => {
      const clock = client === undefined ? sandbox.clock : (await clientOf(client)).clock;
      return factsAnswer(await moved(clock, move));
    },
  );

  server.registerTool(
    "report",
    {
      title: "Is the client correct?",
      description:
        "The verdict of every check on what a client has sent: what failed, what to change, and the requests that show it. Checks that were not exercised are listed by name.",
      inputSchema: {
        client: clientId,
        expected: z.array(z.string()).optional().describe("Codes of errors that were provoked on purpose"),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ client, expected }) => {
      const { failed, drills, summary } = await (await clientOf(client)).report({ expected });
      const checks = drills.flatMap((drill) => drill.checks);
      const named = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
      return factsAnswer({ failed, passed: named("pass"), notExercised: named("not-exercised"), summary });
    },
  );
}

/** Writes the files of a client, with mode 0600, and names them. */
async function filesOf(client: ClientHandle, { url }: Desk["sandbox"], certsPath: string) {
  const own = { folder: `mcp-clients/${client.clientId.replaceAll(/[^\w.-]/g, "_")}`, clientId: client.clientId };
  const variables = environmentVariables(own, { url, defectUrls: undefined, certsPath });
  mkdirSync(join(certsPath, own.folder), { recursive: true, mode: 0o700 });
  const contents: Readonly<Record<string, string | Uint8Array>> = {
    SANDBOX_CA_FILE: client.ca,
    SANDBOX_CERT_FILE: client.certificate,
    SANDBOX_KEY_FILE: client.key,
    SANDBOX_IDENTITY_FILE: identityPem({ certPem: client.certificate, keyPem: client.key }),
    SANDBOX_P12_FILE: await client.p12(),
  };
  for (const [name, content] of Object.entries(contents)) {
    const file = variables[name];
    if (file !== undefined) writeFileSync(file, content, { mode: 0o600 });
  }
  return { clientId: client.clientId, scopes: client.scopes, environment: variables };
}

interface Move {
  readonly advance?: string | undefined;
  readonly set?: string | undefined;
  readonly freeze?: string | undefined;
  readonly reset?: boolean | undefined;
}

function moved(clock: ClockControl, { advance, set, freeze, reset }: Move) {
  const given = [advance, set, freeze, reset || undefined].filter((each) => each !== undefined);
  if (given.length !== 1) throw new Error("Give exactly one of advance, set, freeze and reset.");
  if (advance !== undefined) return clock.advance(advance as Duration);
  if (set !== undefined) return clock.set(set);
  if (freeze !== undefined) return freeze === "" ? clock.freeze() : clock.freeze(freeze);
  return clock.reset();
}
