import * as z from "zod";
import { durationForm, parseDuration } from "../../base/text/duration.js";
import { isoInstant } from "../../sandbox/clock.js";
import { certificateLifetimes, heldFiles, longestHold } from "../../sandbox/scenarios/defaults.js";
import { clientOf } from "../client-errors.js";
import { clientSchema, clientView } from "../client-view.js";
import { ofCertificate, ofClient } from "../common-schemas.js";
import { endNow, finishRotation, rotate } from "../rotation.js";
import { route } from "../route.js";
import { newClientSchema } from "./clients.js";

const durationUpTo = (longest: number, words: string) =>
  z
    .string(`give ${durationForm}`)
    .refine(
      (text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= longest,
      `give ${durationForm}, at most ${words}`,
    )
    .transform((text) => parseDuration(text) as number);

export const rotationSchema = z
  .strictObject({
    overlap: durationUpTo(certificateLifetimes.longest, "398d")
      .describe("How long the previous certificate stays valid, on the client's clock, up to `398d`. Default: `0s`.")
      .optional(),
    validFor: newClientSchema.shape.validFor,
    keyType: z.enum(["ec", "rsa"]).describe("Default: that of the previous key.").optional(),
    issuer: z.enum(["root", "intermediate"]).describe("Default: that of the previous certificate.").optional(),
    sameKey: z.boolean("give true or false").describe("Renew the certificate only.").optional(),
    hold: z
      .enum(heldFiles, "give key or certificate")
      .describe(
        "`key` or `certificate`: this file stays old, and so do `identity.pem` and `client.p12`. For clients with files in the certificates folder.",
      )
      .optional(),
    holdFor: durationUpTo(longestHold, "1h")
      .describe(
        "How long, on the machine's clock, up to `1h`. Default: until `POST /clients/{id}/rotate/finish`, other new files, or the next start.",
      )
      .optional(),
  })
  .refine(
    ({ hold, holdFor, sameKey }) => !(hold ? sameKey : holdFor),
    "give hold with a new key, and holdFor with hold",
  )
  .refine(({ keyType, sameKey }) => !(sameKey && keyType), "give keyType or sameKey: a key that is kept has its type");

export const rotationRoutes = [
  route({
    method: "POST",
    path: "/clients/{id}/rotate",
    summary: "Make a new key and certificate; the previous certificate ends after `overlap`",
    description:
      "Tokens stay bound to their certificate. Files in the certificates folder are replaced by renaming: one read of `identity.pem` always gives a fitting pair.",
    params: ofClient,
    body: rotationSchema,
    answer: {
      status: 200,
      description: "The new certificate, and the end of the previous one.",
      schema: z
        .object({
          clientId: z.string(),
          certificate: z.string().describe("PEM, with its chain."),
          key: z.string().describe("PKCS#8 PEM."),
          ca: z.string().describe("The CA to trust, PEM."),
          thumbprint: z.string(),
          notAfter: z.string(),
          previous: z
            .object({ thumbprint: z.string(), endsAt: z.string().describe("From then on it is refused.") })
            .nullable(),
        })
        .meta({ id: "RotatedClient" }),
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
    path: "/clients/{id}/rotate/finish",
    summary: "Write the files that `hold` held back",
    params: ofClient,
    answer: { status: 204, description: "They are in their places." },
    errors: ["UNKNOWN_CLIENT", "CANNOT_ISSUE"],
    handle: ({ params: { id } }, context) => finishRotation(id, context),
  }),
  route({
    method: "POST",
    path: "/clients/{id}/certificates/{thumbprint}/end",
    summary: "End a certificate: it is refused from now on",
    params: ofCertificate,
    body: z.strictObject({
      how: z.enum(["expired", "revoked"]).describe("Default: `revoked`.").optional(),
    }),
    answer: { status: 200, description: "The client.", schema: clientSchema },
    errors: ["UNKNOWN_CLIENT", "UNKNOWN_CERTIFICATE"],
    handle: async ({ params: { id, thumbprint }, body }, context) => {
      await endNow(id, thumbprint, body.how ?? "revoked", context);
      return clientView(clientOf(id, context), context);
    },
  }),
];
