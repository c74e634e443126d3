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
  /** @throws AdminError */
  readonly find: (params: Read<Params>, context: AdminContext) => Downloadable;
}

const facts: Readonly<Record<IdentityFile, { contentType: string; what: string; form: string; description?: string }>> =
  {
    "cert.pem": {
      contentType: "application/x-pem-file",
      what: "Certificate",
      form: "PEM",
      description: "The certificate of an intermediate CA follows, if one issued it.",
    },
    "key.pem": { contentType: "application/x-pem-file", what: "Private key", form: "PKCS#8 PEM" },
    "identity.pem": {
      contentType: "application/x-pem-file",
      what: "Certificate, chain and key",
      form: "PEM",
    },
    "client.p12": {
      contentType: "application/x-pkcs12",
      what: "Key, certificate and CA",
      form: "PKCS#12, AES-256, password `sandbox`",
    },
    "client-legacy.p12": {
      contentType: "application/x-pkcs12",
      what: "Key, certificate and CA",
      form: "PKCS#12, 3DES and SHA-1, password `sandbox`",
      description: "For programs that cannot read AES-256 in it.",
    },
    "client.env": {
      contentType: "text/plain",
      what: "Environment variables",
      form: "for a shell or a dotenv parser",
      description:
        "`SANDBOX_URL`, `SANDBOX_CLIENT_ID`, and the paths of the other files. Files that are in no certificates folder have the names of their downloads; comments say how to get them.",
    },
  };

/** One route for each file of an identity. */
export function downloadRoutes<const Path extends string, Params extends z.ZodType>({
  path,
  params,
  errors,
  find,
}: Source<Path, Params>) {
  return downloadable.map((file) => {
    const { contentType, what, form, description } = facts[file];
    return route({
      method: "GET",
      path: `${path}/${file}` as const,
      needsSandbox: true,
      summary: `${what}: ${form}`,
      ...(description === undefined ? {} : { description }),
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
