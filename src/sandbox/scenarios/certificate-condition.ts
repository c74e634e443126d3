/** The misfits of the certificates folder, which `pki/profiles.ts` describes. */
const misfits = [
  "unregistered",
  "expired",
  "not-yet-valid",
  "untrusted",
  "renewed",
  "lookalike",
  "wrong-usage",
] as const;

/** The name of a misfit: an identity that the server must refuse. */
export type Misfit = (typeof misfits)[number];

/**
 * What a rule can require of the certificate of a connection: that it is registered for a client, that there is none,
 * that a newer one replaces it, or that it is one of the misfits.
 */
export const certificateConditions = ["registered", "none", "replaced", ...misfits] as const;

export type CertificateCondition = (typeof certificateConditions)[number];
