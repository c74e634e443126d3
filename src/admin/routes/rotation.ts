import { createPrivateKey } from "node:crypto";
import * as z from "zod";
import { type Client, presentCertificates } from "../../sandbox/clients.js";
import { isoInstant } from "../../sandbox/clock.js";
import { clientView } from "../client-view.js";
import { clientId } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import type { KeptIdentity } from "../identities.js";
import { type Route, route } from "../route.js";
import { clientSchema, endSchema, rotatedSchema, rotationSchema } from "../schemas.js";
import { clientOf, noKey, orCannotIssue, orConflict, refuseOneMore, unknownClient } from "./clients.js";

const params = z.object({ id: clientId });

/** Replaces the newest certificate of a client. */
export const rotateRoute = route({
  method: "POST",
  path: "/clients/{id}/rotate",
  summary: "Rotation: a new key and certificate in place of the newest one, which ends after an overlap",
  description:
    "Tokens stay bound to the certificate that they were issued for. The issuer, root or intermediate, stays that of the previous certificate. The files of an identity in the certificates folder are replaced, each by a rename: one read of `identity.pem` always gives a fitting pair. Certificates that have ended do not count as those of the client.",
  params,
  body: rotationSchema,
  answer: { status: 200, description: "The new certificate, and the end of the previous one.", schema: rotatedSchema },
  errors: ["UNKNOWN_CLIENT", "NO_KEY", "TOO_MANY_CERTIFICATES", "CANNOT_ISSUE"],
  prepare: async ({ params: { id }, body }, context) => {
    const client = clientOf(id, context);
    const { registration } = client;
    refuseOneMore(client);
    const previous = context.identities.ofClient(client);
    if (body.sameKey && !previous) throw noKey(client);
    const identity = await orCannotIssue(() =>
      context.identities.issue(id, {
        keyType: body.keyType ?? keyTypeOf(previous),
        validFor: body.validFor,
        issuer: hasChain(previous) ? "intermediate" : "root",
        now: client.clock.now(),
        keyPem: body.sameKey ? previous?.keyPem : undefined,
      }),
    );
    const { name = id, purpose = identity.purpose, folder } = previous ?? {};
    return { registration, identity: { ...identity, name, purpose, folder } };
  },
  changes: ({ params }) => ({ client: params.id }),
  handle: ({ params: { id }, body, prepared: { registration, identity } }, context) => {
    const client = clientOf(id, context);
    if (client.registration !== registration) throw unknownClient(id);
    const facts = context.readCertificate(identity.certPem);
    const previous = newestOf(client, context);
    orConflict(() => context.clients.addCertificate(client, facts.thumbprint, facts));
    context.identities.add(identity);
    const now = client.clock.now();
    const end =
      previous === undefined
        ? undefined
        : endOf(client, previous, now + (body.overlap ?? 0), facts.thumbprint, context);
    return {
      clientId: id,
      certificate: identity.certPem,
      key: identity.keyPem,
      ca: context.serverCertificates.caPem,
      thumbprint: facts.thumbprint,
      notAfter: isoInstant(facts.notAfter),
      previous: previous !== undefined && end !== undefined ? { thumbprint: previous, endsAt: isoInstant(end) } : null,
    };
  },
  finish: async ({ prepared: { identity } }, context) => {
    if (identity.folder !== undefined) await orCannotIssue(() => context.writeFiles?.(identity.folder ?? ""));
  },
});

/** Ends a certificate of a client now. */
export const endRoute = route({
  method: "POST",
  path: "/clients/{id}/certificates/{thumbprint}/end",
  summary: "End a certificate now: it is refused from now on as one that has expired, or was revoked",
  params: params.extend({
    thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "give a thumbprint: 43 characters of base64url"),
  }),
  body: endSchema,
  answer: { status: 200, description: "The client.", schema: clientSchema },
  errors: ["UNKNOWN_CLIENT", "UNKNOWN_CERTIFICATE"],
  changes: ({ params }) => ({ client: params.id }),
  handle: ({ params: { id, thumbprint }, body }, context) => {
    const client = clientOf(id, context);
    const now = client.clock.now();
    if (!context.clients.endCertificate(client, thumbprint, { at: now, since: now, how: body.how ?? "revoked" }))
      throw new AdminError("UNKNOWN_CERTIFICATE", `The client "${id}" has no certificate with this thumbprint.`);
    return clientView(client, context);
  },
});

export const rotationRoutes: readonly Route[] = [rotateRoute, endRoute];

/** The newest certificate of a client that has not ended. Misfits that are registered for it do not count. */
function newestOf(client: Client, { identities }: AdminContext): string | undefined {
  return presentCertificates(client).findLast((thumbprint) => identities.misfitName(thumbprint) === undefined);
}

/** Sets the end of a certificate that is replaced, at the latest that of its dates. */
function endOf(client: Client, previous: string, wanted: number, by: string, { clients }: AdminContext): number {
  const at = Math.min(wanted, client.certificates.get(previous)?.notAfter ?? wanted);
  const since = client.clock.now();
  return clients.endCertificate(client, previous, { at, since, how: "renewed", by })?.at ?? at;
}

function hasChain(identity: KeptIdentity | undefined): boolean {
  return (identity?.certPem.split("-----BEGIN CERTIFICATE-----").length ?? 0) > 2;
}

function keyTypeOf(identity: KeptIdentity | undefined): "rsa" | "ec" {
  return identity && createPrivateKey(identity.keyPem).asymmetricKeyType === "rsa" ? "rsa" : "ec";
}
