import { basename, join } from "node:path";
import * as z from "zod";
import { clientId } from "../../../admin/common-schemas.js";
import { reportQuery } from "../../../admin/report-schema.js";
import { advanceSchema, newClientSchema, rotationSchema, setClockSchema } from "../../../admin/schemas.js";
import type { ClientHandle, NewClientOptions, RotateOptions } from "../../../library/client-handle.js";
import { environmentVariables } from "../../../sandbox/pki/environment.js";
import { identityPem } from "../../../sandbox/pki/profiles.js";
import { factsAnswer } from "../answer.js";
import { reserveFiles } from "../client-files.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

const client = clientId.describe("The client's id, such as demo.");

/** Exactly one move, as the admin API names it. */
const moveSchema = z
  .strictObject({
    client: client.describe("The client; the clock of the whole sandbox when left out.").optional(),
    advance: advanceSchema.shape.advance.optional(),
    ...setClockSchema.shape,
    reset: z.literal(true, "give true, or leave it out").describe("Return to real time.").optional(),
  })
  .refine(
    ({ client: _client, ...moves }) => Object.values(moves).filter((move) => move !== undefined).length === 1,
    "give one of advance, offset, now, frozenAt, reset",
  );

/** Tools for clients: their files, clocks, certificates, and whether they are correct. */
export function clientTools({ sandbox, admin, folder }: Desk): readonly Tool[] {
  return [
    tool({
      name: "create_client",
      title: "Make a client",
      description:
        "Makes a client with its own certificate, clock, scenario and journal, and writes its files. Answers with the environment variables that a program needs: base URL, client id, and paths of the CA, the certificate and its key. A certificate of your own has no key there.",
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
        "Makes a new key and certificate for a client, such as demo or one of create_client, and writes its files. The old certificate and its tokens are refused after the overlap. Shows whether the program takes its new files without a restart.",
      arguments: rotationSchema.safeExtend({ client }),
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
        "Moves the clock of one client, or of the whole sandbox, so that tokens and certificates expire without waiting. Give exactly one of advance, offset, now, frozenAt and reset. Answers with the clock as it is then.",
      arguments: moveSchema,
      call: async ({ client: id, advance, reset, ...set }) => {
        const path = id === undefined ? "/clock" : `/clients/${id}/clock`;
        if (reset) return factsAnswer(await admin.json("DELETE", path));
        if (advance !== undefined) return factsAnswer(await admin.json("POST", path, { json: { advance } }));
        return factsAnswer(await admin.json("PUT", path, { json: set }));
      },
    }),
    tool({
      name: "report",
      title: "Is the client correct?",
      description:
        "The verdict of every check on what a client has sent: what failed, what to change, and the requests that show it. Checks that were not exercised are listed by name.",
      arguments: z.strictObject({
        client: reportQuery.shape.client,
        expected: z.array(z.string()).max(20).describe("Codes of errors that were provoked on purpose.").optional(),
        finished: z
          .boolean()
          .describe("Whether the client has done all its work: then its walks have to be complete.")
          .optional(),
      }),
      annotations: { readOnlyHint: true },
      call: async ({ client: id, ...options }) => {
        const judged = id === undefined ? sandbox : await sandbox.client(id);
        const { failed, drills, summary } = await judged.report(options);
        const checks = drills.flatMap((drill) => drill.checks);
        const named = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
        return factsAnswer({ failed, passed: named("pass"), notExercised: named("not-exercised"), summary });
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
