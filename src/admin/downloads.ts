import type * as z from "zod";
import type { AdminContext, Downloads } from "./context.js";
import type { KeptIdentity } from "./identities.js";
import { type AdminErrorCode, type Route, route } from "./route.js";

/** The files of one identity, as the certificates folder has them. */
export const identityFiles = ["cert.pem", "key.pem", "client.p12", "client.env"] as const;

type IdentityFile = (typeof identityFiles)[number];

/** An identity that was found, and what its files are called when they are saved. */
interface Downloadable {
  readonly identity: KeptIdentity;
  /** Begins the names of the files: `demo-cert.pem`. */
  readonly name: string;
  /** The client that it is for. */
  readonly clientId: string;
}

interface Source<Params> {
  /** With the parameter that tells whose they are. */
  readonly path: string;
  readonly params: z.ZodType<Params>;
  readonly errors: readonly AdminErrorCode[];
  /** Whose files these are: "a client". */
  readonly whose: string;
  /** Which of its files, where there may be several. */
  readonly which?: string;
  /** @throws AdminError */
  readonly find: (params: Params, context: AdminContext) => Downloadable;
}

const facts: Readonly<Record<IdentityFile, { contentType: string; what: string; form: string; description?: string }>> =
  {
    "cert.pem": { contentType: "application/x-pem-file", what: "The certificate", form: "PEM" },
    "key.pem": { contentType: "application/x-pem-file", what: "The private key", form: "PKCS#8 PEM" },
    "client.p12": {
      contentType: "application/x-pkcs12",
      what: "Key, certificate and CA",
      form: "PKCS#12 (AES-256, password `sandbox`)",
    },
    "client.env": {
      contentType: "text/plain",
      what: "The environment",
      form: "for a shell or a dotenv parser",
      description:
        "`SANDBOX_URL`, `SANDBOX_CLIENT_ID` and the files: their paths in the certificates folder, where they lie in one. The files of a client that was made by the admin API, or of a sandbox that has its certificates in memory, lie nowhere: then these are the names under which they are downloaded, to be put beside this file, and its comments say how.",
    },
  };

/** One route for each file of an identity. */
export function downloadRoutes<Params>({ path, params, errors, whose, which, find }: Source<Params>): Route[] {
  return identityFiles.map((file) => {
    const { contentType, what, form, ...more } = facts[file];
    const description = [which, more.description].filter((text) => text !== undefined).join(" ");
    return route({
      method: "GET",
      path: `${path}/${file}`,
      group: "clients",
      summary: `${what} of ${whose}, ${form}`,
      ...(description === "" ? {} : { description }),
      params,
      answer: { status: 200, description: "The file.", contentType },
      errors,
      handle: async (input, context) => {
        const found = find(input.params, context);
        return {
          status: 200,
          text: await read(file, found, context, {
            url: input.origin,
            path: path.slice(1).replace(/\{\w+\}/, found.name),
            name: found.name,
            demandsToken: context.guard.demandsToken,
          }),
          contentType: contentType === "text/plain" ? "text/plain; charset=utf-8" : contentType,
          filename: `${found.name}-${file}`,
        };
      },
    });
  });
}

function read(
  file: IdentityFile,
  { identity, clientId }: Downloadable,
  { identities, environmentOf }: AdminContext,
  downloads: Downloads,
): string | Promise<string | Uint8Array> {
  switch (file) {
    case "cert.pem":
      return identity.certPem;
    case "key.pem":
      return identity.keyPem;
    case "client.p12":
      return identities.bundle(identity);
    case "client.env":
      return environmentOf({ folder: identity.folder, clientId }, downloads);
  }
}
