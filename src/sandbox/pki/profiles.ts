import type { X509Certificate } from "node:crypto";
import { day } from "../../base/text/duration.js";
import type { Misfit } from "../scenarios/request-facts.js";
import type { Identity, KeyedCertificate } from "./certs.js";

/** When a certificate is valid, relative to the moment of issue, in milliseconds. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

/**
 * It begins a day in the past, because clocks of clients differ, and a virtual machine's may be set to local time. It
 * lasts 397 days, because verifiers on macOS refuse server certificates that are valid for 398 days or more.
 */
export const leafValidity: Validity = { from: -day, until: 396 * day };

/** Ended yesterday: a client whose clock is some hours slow refuses it, too. */
export const pastValidity: Validity = { from: -31 * day, until: -day };

/** Begins in a year: a client whose clock is some months fast refuses it, too. */
export const futureValidity: Validity = { from: 365 * day, until: 395 * day };

/**
 * Ten years: users trust it by hand, and it can issue only for local names. It begins before the misfit `expired` does.
 */
export const authorityValidity: Validity = { from: -40 * day, until: 3650 * day };

/** Common name of the CA. A part of its key's fingerprint follows, which distinguishes the CAs of several sandboxes. */
export const authorityName = "Business Payments Sandbox CA";

/** Common name of an intermediate CA. A part of its key's fingerprint follows. */
export const intermediateName = "Business Payments Sandbox Intermediate CA";

/** Common name of the server. Clients check only the subject alternative names (RFC 9525 §6.3). */
export const serverName = "Business Payments Sandbox";

/** Organization in the subject of everything that the sandbox issues. */
export const organization = "Business Payments Sandbox";

/** Files of each identity's folder. */
export const identityFiles = ["cert.pem", "key.pem", "identity.pem", "client.p12", "client.env"];

/** The text of `identity.pem`: certificate, chain and key, so that one read of the file has a fitting pair. */
export function identityPem({ certPem, keyPem }: KeyedCertificate): string {
  return [certPem, keyPem].map((pem) => (pem.endsWith("\n") ? pem : `${pem}\n`)).join("");
}

/** Password of every `client.p12`. It is public: Java and Windows do not read a PKCS#12 file without a password. */
export const bundlePassword = "sandbox";

/** How an identity of the folder is made. */
export interface IdentityProfile extends Omit<Identity, keyof KeyedCertificate> {
  /** Common name of the subject. Without a dot: OpenSSL would check it against the CA's name constraints. */
  readonly commonName: string;
  readonly validity: Validity;
  /** Extended key usage: TLS client or TLS server authentication. */
  readonly usage: "client" | "server";
  /**
   * `impostor`: a CA of the same name whose key is not kept. `intermediate`: a CA below the sandbox's, whose key is not
   * kept either.
   */
  readonly issuer: "sandbox" | "impostor" | "intermediate";
  /**
   * Its own key pair, one on P-256 whatever the type of the others is, that of `demo`, or the one that misfits share:
   * their certificates differ, and an RSA key for each would double the time of a first start.
   */
  readonly key: "own" | "p256" | "demo" | "shared";
}

const usual = {
  clientId: "demo",
  registered: false,
  validity: leafValidity,
  usage: "client",
  issuer: "sandbox",
  key: "shared",
} as const;

type Differences = Partial<IdentityProfile>;

function profile(kind: Identity["kind"], name: string, purpose: string, differences: Differences): IdentityProfile {
  return { ...usual, name, kind, purpose, folder: `${kind}s/${name}`, commonName: name, ...differences };
}

function client(clientId: string, purpose: string, differences: Differences = {}): IdentityProfile {
  return profile("client", clientId, purpose, { clientId, registered: true, key: "own", ...differences });
}

/** The misfits, by name: a rule of a scenario can name each, and no other. */
const misfits: Readonly<Record<Misfit, readonly [purpose: string, differences: Differences]>> = {
  unregistered: ["a good certificate of the sandbox's CA that is registered for no client", {}],
  expired: [
    "registered for demo, but its validity ended a day before it was made",
    { validity: pastValidity, registered: true },
  ],
  "not-yet-valid": [
    "registered for demo, but its validity begins a year after it was made",
    { validity: futureValidity, registered: true },
  ],
  untrusted: [
    "demo's subject, issued by another CA of the same name whose key is not kept",
    { commonName: "demo", issuer: "impostor" },
  ],
  renewed: [
    "demo's key and subject in a new certificate: tokens are bound to a certificate, not to its key",
    { commonName: "demo", key: "demo" },
  ],
  lookalike: ["demo's subject with another key: a subject proves nothing", { commonName: "demo" }],
  "wrong-usage": [
    "registered for demo, but its extended key usage permits TLS servers only",
    { usage: "server", registered: true },
  ],
};

/**
 * Every identity in the certificates folder. Documentation, files and registrations derive from this table.
 *
 * A misfit is an identity that the server must refuse. Each has one defect; those that are registered are refused only
 * for that defect.
 */
export const identityProfiles: readonly IdentityProfile[] = [
  client("demo", "the registered client of every example"),
  client("other", "a second registered client, to try one client's token or cursor with another's certificate"),
  client("chained", "a third registered client, whose certificate comes from an intermediate CA", {
    issuer: "intermediate",
    key: "p256",
  }),
  ...Object.entries(misfits).map(([name, [purpose, differences]]) => profile("misfit", name, purpose, differences)),
];

/** The identities of a kind, in the order of the table. */
export function profilesOf(kind: Identity["kind"]): IdentityProfile[] {
  return identityProfiles.filter((profile) => profile.kind === kind);
}

/** The identity of a profile, with its certificate and key. */
export function identityOf(profile: IdentityProfile, { certPem, keyPem }: KeyedCertificate): Identity {
  const { name, kind, purpose, folder, clientId, registered } = profile;
  return { name, kind, purpose, folder, clientId, registered, certPem, keyPem };
}

/** The first and the last instant of a certificate that is issued now, in milliseconds since the epoch. */
export function validityAt({ from, until }: Validity, now: number): { notBefore: number; notAfter: number } {
  return { notBefore: now + from, notAfter: now + until };
}

/**
 * Whether an existing certificate must be renewed: it expires within a day or is not valid yet, or no longer has its
 * defect.
 * @param now milliseconds since the epoch
 */
export function isPastUse(validity: Validity, { validFrom, validTo }: X509Certificate, now: number): boolean {
  const [notBefore, notAfter] = [Date.parse(validFrom), Date.parse(validTo)];
  if (validity === pastValidity) return notAfter >= now;
  if (validity === futureValidity) return notBefore < now + day;
  // A certificate that is valid for another day lasts for a working day.
  return notBefore > now || notAfter < now + day;
}
