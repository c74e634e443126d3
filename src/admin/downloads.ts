import type * as z from "zod";
import { identityPem } from "../sandbox/pki/profiles.js";
import type { AdminContext, Downloads } from "./context.js";
import type { AdminErrorCode } from "./error-codes.js";
import type { KeptIdentity } from "./identities.js";
import { type Read, route } from "./route.js";

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

interface DownloadedFile {
  readonly contentType: string;
  readonly what: string;
  readonly form: string;
  readonly description?: string;
  content(
    found: Downloadable,
    context: AdminContext,
    downloads: Downloads,
  ): string | Promise<string | Uint8Array<ArrayBuffer>>;
}

const files = {
  "cert.pem": {
    contentType: "application/x-pem-file",
    what: "Certificate",
    form: "PEM",
    description: "The certificate of an intermediate CA follows, if one issued it.",
    content: ({ identity }) => identity.certPem,
  },
  "key.pem": {
    contentType: "application/x-pem-file",
    what: "Private key",
    form: "PKCS#8 PEM",
    content: ({ identity }) => identity.keyPem,
  },
  "identity.pem": {
    contentType: "application/x-pem-file",
    what: "Certificate, chain and key",
    form: "PEM",
    content: ({ identity }) => identityPem(identity),
  },
  "client.p12": {
    contentType: "application/x-pkcs12",
    what: "Key, certificate and CA",
    form: "PKCS#12, AES-256, password `sandbox`",
    content: ({ identity }, { identities }) => identities.bundle(identity),
  },
  "client.env": {
    contentType: "text/plain",
    what: "Environment variables",
    form: "for a shell or a dotenv parser",
    description:
      "`SANDBOX_URL`, `SANDBOX_CLIENT_ID`, and the paths of the other files. Files that are in no certificates folder have the names of their downloads; comments say how to get them.",
    content: ({ identity: { folder }, clientId }, { environmentOf }, downloads) =>
      environmentOf({ folder, clientId }, downloads),
  },
  "client-legacy.p12": {
    contentType: "application/x-pkcs12",
    what: "Key, certificate and CA",
    form: "PKCS#12, 3DES and SHA-1, password `sandbox`",
    description: "For programs that cannot read AES-256 in it.",
    content: ({ identity }, { identities }) => identities.legacyBundle(identity),
  },
} as const satisfies Readonly<Record<string, DownloadedFile>>;

const downloadable = Object.keys(files) as (keyof typeof files)[];

/** The files of one identity, as in the certificates folder: all but the one that is made only on request. */
export const identityFiles = downloadable.filter((file) => file !== "client-legacy.p12");

/** One route for each file of an identity. */
export function downloadRoutes<const Path extends string, Params extends z.ZodType>({
  path,
  params,
  errors,
  find,
}: Source<Path, Params>) {
  return downloadable.map((file) => {
    const { contentType, what, form, description, content }: DownloadedFile = files[file];
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
        const downloads = {
          url: input.origin,
          path: path.slice(1).replace(/\{\w+\}/, found.name),
          name: found.name,
          demandsToken: context.guard.demandsToken,
        };
        return new Response(await content(found, context, downloads), {
          headers: {
            "Content-Type": contentType === "text/plain" ? "text/plain; charset=utf-8" : contentType,
            "Content-Disposition": `attachment; filename="${found.name}-${file}"`,
          },
        });
      },
    });
  });
}
