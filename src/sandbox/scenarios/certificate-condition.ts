/**
 * What a rule can require of the certificate of a connection: that it is registered for a client, that there is none,
 * or that it is one of the misfits of the certificates folder. A test checks that the misfits are those that the
 * sandbox makes.
 */
export const certificateConditions = [
  "registered",
  "none",
  "unregistered",
  "expired",
  "not-yet-valid",
  "untrusted",
  "renewed",
  "lookalike",
  "wrong-usage",
] as const;

export type CertificateCondition = (typeof certificateConditions)[number];
