import * as z from "zod";
import { isoInstant } from "../../sandbox/clock.js";
import { nullableText } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { downloadRoutes } from "../downloads.js";
import { AdminError } from "../error.js";
import { route } from "../route.js";

const identityName = z
  .string()
  .regex(/^[a-z][a-z-]{0,40}$/, "give the name of an identity, such as demo or expired")
  .describe("The name of an identity, such as `demo` or `expired`.");

const identitySchema = z
  .object({
    name: z.string(),
    kind: z.enum(["client", "misfit"]),
    purpose: z.string(),
    folder: nullableText,
    clientId: z.string(),
    thumbprint: z.string(),
    subject: z.string(),
    notBefore: nullableText,
    notAfter: nullableText,
    registeredFor: nullableText,
    valid: z.boolean().describe("Now, on the client's clock."),
  })
  .meta({ id: "Identity" });

export const identityRoutes = [
  route({
    method: "GET",
    path: "/identities",
    summary: "Standing identities: clients and misfits, with what each is for",
    answer: { status: 200, description: "All of them.", schema: z.object({ items: z.array(identitySchema) }) },
    handle: (_input, context) => ({ items: identitiesOf(context) }),
  }),
  ...downloadRoutes({
    path: "/identities/{name}",
    params: z.object({ name: identityName }),
    errors: ["UNKNOWN_IDENTITY"],
    find: ({ name }, { identities }) => {
      const standing = identities.standing();
      const identity = standing.find((candidate) => candidate.name === name);
      if (identity) return { identity, name, clientId: identity.clientId };
      const known = standing.map((candidate) => candidate.name).join(", ");
      throw new AdminError("UNKNOWN_IDENTITY", `There is no identity "${name}"; there are ${known}.`);
    },
  }),
];

function identitiesOf({ identities, clients, clock, readCertificate }: AdminContext) {
  return identities.standing().map(({ name, kind, purpose, folder, clientId: id, certPem, thumbprint }) => {
    const { subject, notBefore, notAfter } = readCertificate(certPem);
    const holder = clients.byThumbprint(thumbprint);
    const now = (holder?.clock ?? clock).now();
    return {
      name,
      kind,
      purpose,
      folder: folder ?? null,
      clientId: id,
      thumbprint,
      subject,
      notBefore: isoInstant(notBefore),
      notAfter: isoInstant(notAfter),
      registeredFor: holder?.id ?? null,
      valid: now >= notBefore && now <= notAfter,
    };
  });
}
