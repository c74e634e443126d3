import { basename, join } from "node:path";
import * as z from "zod";
import { clientId } from "../../../admin/common-schemas.js";
import { newClientSchema } from "../../../admin/routes/clients.js";
import { advanceSchema, setClockSchema } from "../../../admin/routes/clock.js";
import { rotationSchema } from "../../../admin/routes/rotation.js";
import type { ClientHandle, NewClientOptions, RotateOptions } from "../../../library/client-handle.js";
import { environmentVariables } from "../../../sandbox/pki/environment.js";
import { identityPem } from "../../../sandbox/pki/profiles.js";
import { factsAnswer } from "../answer.js";
import { reserveFiles } from "../client-files.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

/** Exactly one move, as the admin API names it. */
const moveSchema = z
  .strictObject({
    client: clientId.describe("Default: the whole sandbox.").optional(),
    advance: advanceSchema.shape.advance.optional(),
    ...setClockSchema.shape,
    reset: z.literal(true, "give true, or leave it out").describe("True: to real time.").optional(),
  })
  .refine(
    ({ client: _client, ...moves }) => Object.values(moves).filter((move) => move !== undefined).length === 1,
    "give one of advance, offset, now, frozenAt, reset",
  );

/** Tools for clients: their files, clocks and certificates. */
export function clientTools({ sandbox, admin, folder }: Desk): readonly Tool[] {
  return [
    tool({
      name: "create_client",
      title: "Make a client",
      description:
        "Makes a client with its own certificate, clock, scenario and journal, and writes its files. Answers with environment variables for a program: base URL, client id, and the paths of CA, certificate and key (no key if the certificate is your own).",
      arguments: newClientSchema,
      annotations: { destructiveHint: false },
      call: async (options) => {
        const hasKey = options.certificate === undefined;
        const make = () => sandbox.createClient(options as NewClientOptions);
        return factsAnswer((await withFiles(make, { hasKey, sandbox, folder })).facts);
      },
    }),
    tool({
      name: "rotate_certificate",
      title: "Replace a client's certificate",
      description:
        "Makes a new key and certificate for a client, and writes its files. The old certificate and its tokens are refused after the overlap. Shows whether a program takes new files without a restart.",
      arguments: rotationSchema.safeExtend({ client: clientId.describe("Such as demo.") }),
      call: async ({ client: id, ...options }) => {
        const rotate = async () => {
          const rotated = await sandbox.client(id);
          await rotated.rotate(options as RotateOptions);
          return rotated;
        };
        const { client: rotated, facts } = await withFiles(rotate, { hasKey: true, sandbox, folder });
        return factsAnswer({ thumbprint: rotated.thumbprint, ...facts });
      },
    }),
    tool({
      name: "move_clock",
      title: "Move a clock",
      description:
        "Moves the clock: tokens and certificates expire without waiting. Give exactly one of advance, offset, now, frozenAt and reset.",
      arguments: moveSchema,
      call: async ({ client, advance, reset, ...set }) => {
        if (reset) return factsAnswer(await admin.call("DELETE /clock", { client }));
        if (advance !== undefined) return factsAnswer(await admin.call("POST /clock", { client, body: { advance } }));
        return factsAnswer(await admin.call("PUT /clock", { client, body: set }));
      },
    }),
  ];
}

/**
 * Makes or changes a client, and writes its files, with mode 0600. Their space is reserved before: if they cannot be
 * written, nothing has changed.
 */
async function withFiles(
  change: () => Promise<ClientHandle>,
  { hasKey, sandbox, folder }: Pick<Desk, "sandbox" | "folder"> & { readonly hasKey: boolean },
) {
  const parent = join(folder, "mcp-clients");
  const ofKey = ["SANDBOX_KEY_FILE", "SANDBOX_IDENTITY_FILE", "SANDBOX_P12_FILE"];
  const variablesOf = (clientId: string) => {
    const own = { folder: `mcp-clients/${clientId}`, clientId };
    const all = environmentVariables(own, { url: sandbox.url, defectUrls: undefined, certsPath: folder });
    return Object.fromEntries(Object.entries(all).filter(([name]) => hasKey || !ofKey.includes(name)));
  };
  const paths = Object.entries(variablesOf("")).flatMap(([name, path]) => (name.endsWith("_FILE") ? [path] : []));
  const files = reserveFiles(
    parent,
    paths.map((path) => basename(path)),
  );
  try {
    const client = await change();
    const { clientId, ca, certificate: certPem } = client;
    const environment = variablesOf(clientId);
    const contents = {
      SANDBOX_CA_FILE: ca,
      SANDBOX_CERT_FILE: certPem,
      ...(hasKey && {
        SANDBOX_KEY_FILE: client.key,
        SANDBOX_IDENTITY_FILE: identityPem({ certPem, keyPem: client.key }),
        SANDBOX_P12_FILE: await client.p12(),
      }),
    };
    const byPath = Object.entries(contents).map(([name, content]) => [environment[name] ?? "", content] as const);
    files.place(join(parent, clientId), new Map(byPath));
    return { client, facts: { clientId, scopes: client.scopes, environment } };
  } finally {
    files.release();
  }
}
