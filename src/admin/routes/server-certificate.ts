import { X509Certificate } from "node:crypto";
import * as z from "zod";
import { splitPem } from "../../base/x509/certificate.js";
import { isoInstant } from "../../sandbox/clock.js";
import { serverIssuers } from "../../sandbox/connection/server-certificate.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { route } from "../route.js";
import { announceNextCa } from "../server-certificate.js";

const serverCertificateSchema = z
  .object({
    issuer: z
      .enum([...serverIssuers, "file"])
      .describe(
        "`root`: the CA of the start; `intermediate`: a CA below it; `next-ca`; `file`: your own (`--server-certificate`).",
      ),
    certificate: z.string().describe("PEM, with its chain."),
    thumbprint: z.string(),
    notAfter: z.string(),
  })
  .meta({ id: "ServerCertificate" });

const pem = { "Content-Type": "application/x-pem-file" };

export const serverCertificateRoutes = [
  route({
    method: "GET",
    path: "/server/certificate",
    needsSandbox: true,
    summary: "The certificate that the server shows on new connections",
    description: "Without the defects of ports, host names and scenarios.",
    answer: { status: 200, description: "The certificate.", schema: serverCertificateSchema },
    handle: (_input, context) => shownView(context),
  }),
  route({
    method: "POST",
    path: "/server/certificate",
    summary: "Renew the server's certificate: new connections get one with a new key",
    description:
      "With `next-ca`, it comes from the next CA, as do new certificates of clients from then on; their old ones stay valid, unless the assumption `certificate.old-ca` says otherwise. It announces the CA if `POST /server/next-ca` has not. A restart returns to `server.pem`.",
    body: z.strictObject({
      issuer: z
        .enum(serverIssuers, `give one of ${serverIssuers.join(", ")}`)
        .optional()
        .describe("Default: `root`."),
    }),
    answer: { status: 200, description: "The new certificate.", schema: serverCertificateSchema },
    errors: ["CANNOT_ISSUE"],
    prepare: async ({ body: { issuer = "root" } }, { serverCertificates }) => {
      const nextCa = issuer === "next-ca" ? await serverCertificates.makeNextCa() : undefined;
      return { issuer, nextCa, certificate: await serverCertificates.issue(issuer, nextCa) };
    },
    changes: () => ({ allCertificates: true }),
    files: ({ prepared: { nextCa } }, { serverCertificates }) => nextCa && serverCertificates.nextCaFiles(nextCa),
    handle: ({ prepared: { issuer, nextCa, certificate } }, context, write) => {
      const { serverCertificates } = context;
      if (nextCa) announceNextCa(nextCa, serverCertificates, write);
      const isCut = issuer === "next-ca" && serverCertificates.shown.issuer !== "next-ca";
      serverCertificates.show(certificate, issuer);
      if (isCut) endClientsOfOldCa(context);
      return shownView(context);
    },
  }),
  route({
    method: "POST",
    path: "/server/next-ca",
    summary: "Announce the next CA: `ca.pem` has both roots from now on, `ca-next.pem` the new one alone",
    description:
      "The server keeps its certificate. A second call changes nothing. Other sandboxes on the certificates folder, and later starts, announce the same CA.",
    body: z.strictObject({}),
    answer: {
      status: 200,
      description: "The roots.",
      schema: z
        .object({
          ca: z.string().describe("Both roots, PEM."),
          nextCa: z.string().describe("The new root alone, PEM."),
        })
        .meta({ id: "NextCa" }),
    },
    errors: ["CANNOT_ISSUE"],
    prepare: (_input, { serverCertificates }) => serverCertificates.makeNextCa(),
    changes: () => ({ allCertificates: true }),
    files: ({ prepared }, { serverCertificates }) => serverCertificates.nextCaFiles(prepared),
    handle: ({ prepared }, { serverCertificates }, write) => {
      announceNextCa(prepared, serverCertificates, write);
      return { ca: serverCertificates.caPem, nextCa: serverCertificates.nextCaPem };
    },
  }),
  route({
    method: "GET",
    path: "/ca-next.pem",
    needsSandbox: true,
    summary: "The next CA alone, once it is announced",
    answer: { status: 200, description: "PEM.", contentType: "application/x-pem-file" },
    errors: ["UNKNOWN_CERTIFICATE"],
    handle: (_input, { serverCertificates: { nextCaPem } }) => {
      if (nextCaPem === undefined)
        throw new AdminError("UNKNOWN_CERTIFICATE", "There is no next CA: announce it with POST /server/next-ca.");
      return new Response(nextCaPem, { headers: pem });
    },
  }),
];

function shownView({ serverCertificates, readCertificate }: AdminContext) {
  const { certPem, issuer } = serverCertificates.shown;
  const { thumbprint, notAfter } = readCertificate(certPem);
  return { issuer, certificate: certPem, thumbprint, notAfter: isoInstant(notAfter) };
}

/** At the cut to the next CA: ends what the old one issued for clients, where that is assumed. */
function endClientsOfOldCa({ assumptions, clients, identities, serverCertificates }: AdminContext): void {
  const { nextCaPem } = serverCertificates;
  if (assumptions.values["certificate.old-ca"] !== "end" || nextCaPem === undefined) return;
  const next = new X509Certificate(nextCaPem);
  for (const client of clients.all()) {
    const now = client.clock.now();
    for (const thumbprint of client.thumbprints) {
      const identity = identities.byThumbprint(thumbprint);
      if (identity?.kind === "client" && !isBelow(identity.certPem, next))
        clients.endCertificate(client, thumbprint, { at: now, since: now, how: "revoked" });
    }
  }
}

/** Whether a root has issued the last certificate of a chain. */
function isBelow(chainPem: string, root: X509Certificate): boolean {
  return new X509Certificate(splitPem(chainPem).at(-1) ?? "").verify(root.publicKey);
}
