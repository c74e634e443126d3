import type * as z from "zod";
import { identityPem } from "../sandbox/pki/profiles.js";
import type { AdminContext, Downloads } from "./context.js";
import type { AdminErrorCode } from "./error-codes.js";
import type { KeptIdentity } from "./identities.js";
import { type Read, route } from "./route.js";

/** The files of one identity, as in the certificates folder. */
export const identityFiles = ["cert.pem", "key.pem", "identity.pem", "client.p12", "client.env"] as const;

/** The same, and the file that is made only on request. */
const downloadable = [...identityFiles, "client-legacy.p12"] as const;

type IdentityFile = (typeof downloadable)[number];

/** An identity, and the names under which its files are saved. */
interface Downloadable {
  readonly identity: KeptIdentity;
  /** The prefix of the names of the files: `demo-cert.pem`. */
  readonly name: string;
  /** The client of the identity. */
  readonly clientId: string;
}

interface Source<Path extends string, Params extends z.ZodType> {
  /** With the parameter that identifies the owner. */
  readonly path: Path;
  readonly params: Params;
  readonly errors: readonly AdminErrorCode[];
  /** The owner of the files: "a client". */
  readonly whose: string;
  /** Which identity of the owner, if it may have several. */
  readonly which?: string;
  /** @throws AdminError */
  readonly find: (params: Read<Params>, context: AdminContext) => Downloadable;
}

const facts: Readonly<Record<IdentityFile, { contentType: string; what: string; form: string; description?: string }>> =
  {
    "cert.pem": {
      contentType: "application/x-pem-file",
      what: "The certificate",
      form: "PEM",
      description: "If an intermediate CA issued it, that of the intermediate follows.",
    },
    "key.pem": { contentType: "application/x-pem-file", what: "The private key", form: "PKCS#8 PEM" },
    "identity.pem": {
      contentType: "application/x-pem-file",
      what: "Certificate, chain and key",
      form: "PEM, in one file",
    },
    "client.p12": {
      contentType: "application/x-pkcs12",
      what: "Key, certificate and CA",
      form: "PKCS#12 (AES-256, password `sandbox`)",
    },
    "client-legacy.p12": {
      contentType: "application/x-pkcs12",
      what: "The same in an older form",
      form: "PKCS#12 (3DES and SHA-1, password `sandbox`)",
      description: "For programs that do not read AES-256 in PKCS#12.",
    },
    "client.env": {
      contentType: "text/plain",
      what: "The environment",
      form: "for a shell or a dotenv parser",
      description:
        "`SANDBOX_URL`, `SANDBOX_CLIENT_ID` and the files: their paths in the certificates folder, if they are in one. For a client that was made by the admin API, or a sandbox with certificates in memory, these are the names of the downloaded files, which belong in the same folder as this file. Its comments say how to get them.",
    },
  };

/** One route for each file of an identity. */
export function downloadRoutes<const Path extends string, Params extends z.ZodType>({
  path,
  params,
  errors,
  whose,
  which,
  find,
}: Source<Path, Params>) {
  return downloadable.map((file) => {
    const { contentType, what, form, ...more } = facts[file];
    const description = [which, more.description].filter((text) => text !== undefined).join(" ");
    return route({
      method: "GET",
      path: `${path}/${file}` as const,
      summary: `${what} of ${whose}, ${form}`,
      ...(description === "" ? {} : { description }),
      params,
      answer: { status: 200, description: "The file.", contentType },
      errors,
      handle: async (input, context) => {
        const found = find(input.params, context);
        const content = await read(file, found, context, {
          url: input.origin,
          path: path.slice(1).replace(/\{\w+\}/, found.name),
          name: found.name,
          demandsToken: context.guard.demandsToken,
        });
        return new Response(content, {
          headers: {
            "Content-Type": contentType === "text/plain" ? "text/plain; charset=utf-8" : contentType,
            "Content-Disposition": `attachment; filename="${found.name}-${file}"`,
          },
        });
      },
    });
  });
}

async function read(
  file: IdentityFile,
  { identity, clientId }: Downloadable,
  { identities, environmentOf }: AdminContext,
  downloads: Downloads,
): Promise<string | Uint8Array<ArrayBuffer>> {
  switch (file) {
    case "cert.pem":
      return identity.certPem;
    case "key.pem":
      return identity.keyPem;
    case "identity.pem":
      return identityPem(identity);
    case "client.p12":
      return identities.bundle(identity);
    case "client-legacy.p12":
      return identities.legacyBundle(identity);
    case "client.env":
      return environmentOf({ folder: identity.folder, clientId }, downloads);
  }
}
