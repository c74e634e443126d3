import * as z from "zod";
import { isoInstant } from "../../sandbox/clock.js";
import { clientOf } from "../client-errors.js";
import { clientView } from "../client-view.js";
import { clientId } from "../common-schemas.js";
import { endNow, rotate } from "../rotation.js";
import { type Route, route } from "../route.js";
import { clientSchema, endSchema, rotatedSchema, rotationSchema } from "../schemas.js";

const params = z.object({ id: clientId });

export const rotationRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/clients/{id}/rotate",
    summary: "Rotation: a new key and certificate in place of the newest one, which ends after an overlap",
    description:
      "Tokens stay bound to the certificate that they were issued for. The issuer, root or intermediate, stays that of the previous certificate. The files of an identity in the certificates folder are replaced, each by a rename: one read of `identity.pem` always gives a fitting pair. Certificates that have ended do not count as those of the client.",
    params,
    body: rotationSchema,
    answer: {
      status: 200,
      description: "The new certificate, and the end of the previous one.",
      schema: rotatedSchema,
    },
    errors: ["UNKNOWN_CLIENT", "NO_KEY", "TOO_MANY_CERTIFICATES", "CANNOT_ISSUE"],
    handle: async ({ params: { id }, body }, context) => {
      const { identity, facts, previous } = await rotate(id, body, context);
      return {
        clientId: id,
        certificate: identity.certPem,
        key: identity.keyPem,
        ca: context.serverCertificates.caPem,
        thumbprint: facts.thumbprint,
        notAfter: isoInstant(facts.notAfter),
        previous: previous ? { thumbprint: previous.thumbprint, endsAt: isoInstant(previous.end) } : null,
      };
    },
  }),
  route({
    method: "POST",
    path: "/clients/{id}/certificates/{thumbprint}/end",
    summary: "End a certificate now: it is refused from now on as one that has expired, or was revoked",
    params: params.extend({
      thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "give a thumbprint: 43 characters of base64url"),
    }),
    body: endSchema,
    answer: { status: 200, description: "The client.", schema: clientSchema },
    errors: ["UNKNOWN_CLIENT", "UNKNOWN_CERTIFICATE"],
    handle: async ({ params: { id, thumbprint }, body }, context) => {
      await endNow(id, thumbprint, body.how ?? "revoked", context);
      return clientView(clientOf(id, context), context);
    },
  }),
];
