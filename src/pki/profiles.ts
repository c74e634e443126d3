import type { Identity, KeyedCertificate } from "./certs.js";

const day = 86_400_000;

/** When a certificate is valid, relative to the moment of issue, in milliseconds. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/**
 * A day in the past, because clocks of clients differ, and a virtual machine's may be set to local time; 397 days in all,
 * because verifiers on macOS refuse server certificates that are valid for 398 days or more.
 */
export const leafValidity: Validity = { from: -day, until: 396 * day };

/** Over since yesterday, so that no clock of a client is slow enough to accept it. */
export const pastValidity: Validity = { from: -31 * day, until: -day };

/** What is left of its validity when a certificate is renewed at a start: a working day with it must not end in the middle. */
export const renewWithin = day;

/**
 * Ten years: it is trusted by hand, and cannot vouch for anything but local names. From before the misfit `expired` begins,
 * so that the CA itself is never the reason to refuse one.
 */
export const authorityValidity: Validity = { from: -40 * day, until: 3650 * day };

const validities = {
  current: leafValidity,
  past: pastValidity,
  future: { from: 365 * day, until: 395 * day },
} satisfies Record<string, Validity>;

/** Common name of the CA; a piece of its key's fingerprint follows, to tell the CAs of several sandboxes apart in a trust store. */
export const authorityName = "Business Payments Sandbox CA";

/** Common name of the server. Clients look at the subject alternative names only (RFC 9525 §6.3). */
export const serverName = "Business Payments Sandbox";

/** Organization in the subject of everything that the sandbox issues. */
export const organization = "Business Payments Sandbox";

/** Password of every `client.p12`. No secret: Java and Windows do not read a PKCS#12 file without one. */
export const bundlePassword = "sandbox";

/** How a standing identity is made. */
export interface IdentityProfile extends Pick<Identity, "name" | "kind" | "purpose" | "clientId" | "registered"> {
  /** Common name of the subject. It has no dot: OpenSSL would hold it against the CA's name constraints. */
  readonly commonName: string;
  readonly validity: keyof typeof validities;
  /** Extended key usage: TLS client or TLS server authentication. */
  readonly usage: "client" | "server";
  /** `stranger`: a CA of the same name whose key is thrown away. */
  readonly issuer: "sandbox" | "stranger";
  /**
   * Its own key pair, that of `demo`, or the one that misfits share: they are told apart by their certificates, and an RSA
   * key for each would double the time of a first start.
   */
  readonly key: "own" | "demo" | "shared";
}

const client = {
  kind: "client",
  validity: "current",
  usage: "client",
  issuer: "sandbox",
  key: "own",
  registered: true,
} as const;
const misfit = { ...client, kind: "misfit", key: "shared", clientId: "demo", registered: false } as const;

/** Every identity that stands in the certificates folder. Documentation, files and registrations derive from this table. */
export const identityProfiles: readonly IdentityProfile[] = [
  {
    ...client,
    name: "demo",
    commonName: "demo",
    clientId: "demo",
    purpose: "the registered client of every example",
  },
  {
    ...client,
    name: "other",
    commonName: "other",
    clientId: "other",
    purpose: "a second registered client, to try one client's token or cursor with another's certificate",
  },
  {
    ...misfit,
    name: "unregistered",
    commonName: "unregistered",
    purpose: "a good certificate of our CA that is registered for no client",
  },
  {
    ...misfit,
    name: "expired",
    commonName: "expired",
    validity: "past",
    registered: true,
    purpose: "registered for demo, but its validity ended a day before it was made",
  },
  {
    ...misfit,
    name: "not-yet-valid",
    commonName: "not-yet-valid",
    validity: "future",
    registered: true,
    purpose: "registered for demo, but its validity begins a year after it was made",
  },
  {
    ...misfit,
    name: "untrusted",
    commonName: "demo",
    issuer: "stranger",
    purpose: "demo's subject, issued by another CA of the same name whose key nobody has",
  },
  {
    ...misfit,
    name: "renewed",
    commonName: "demo",
    key: "demo",
    purpose: "demo's key and subject in a new certificate: tokens are bound to a certificate, not to its key",
  },
  {
    ...misfit,
    name: "lookalike",
    commonName: "demo",
    purpose: "demo's subject with another key: a subject proves nothing",
  },
  {
    ...misfit,
    name: "wrong-usage",
    commonName: "wrong-usage",
    usage: "server",
    registered: true,
    purpose: "registered for demo, but its extended key usage permits TLS servers only",
  },
];

/** Folder of an identity below the certificates folder. */
export function identityFolder(profile: IdentityProfile): string {
  return `${profile.kind}s/${profile.name}`;
}

/** The identity that a profile describes, made. */
export function identityOf(profile: IdentityProfile, { certPem, keyPem }: KeyedCertificate): Identity {
  const { name, kind, purpose, clientId, registered } = profile;
  return { name, kind, purpose, folder: identityFolder(profile), clientId, registered, certPem, keyPem };
}

/** The first and the last instant of a new certificate of this profile, in milliseconds since the epoch. */
export function validityAt(profile: IdentityProfile, now: number): { notBefore: number; notAfter: number } {
  const { from, until } = validities[profile.validity];
  return { notBefore: now + from, notAfter: now + until };
}

/**
 * Whether an existing certificate no longer does what its profile is for: it expires within a day or is not valid yet, or,
 * for the misfits that are meant to be one of these, is not.
 */
export function isPastUse(
  { validity }: Pick<IdentityProfile, "validity">,
  { notBefore, notAfter }: { notBefore: number; notAfter: number },
  now: number,
): boolean {
  switch (validity) {
    case "current":
      return notBefore > now || notAfter < now + renewWithin;
    case "past":
      return notAfter >= now;
    case "future":
      return notBefore < now + renewWithin;
  }
}
