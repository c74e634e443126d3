/** Who issues a certificate of the server: the CA of the start, an intermediate CA below it, or the next CA. */
export const serverIssuers = ["root", "intermediate", "next-ca"] as const;

export type ServerIssuer = (typeof serverIssuers)[number];

/** Changes of the server's certificate that a scenario can make: a new one of the same CA, or one of the next CA. */
export const serverRenewals = ["renewed", "next-ca"] as const;

export type ServerRenewal = (typeof serverRenewals)[number];

/** The certificate that the server presented on a connection. */
export interface PresentedCertificate {
  /** RFC 8705 §3.1: `x5t#S256`. */
  readonly thumbprint: string;
  /** Who issued it, and what caused the change, if it is not the one of the start. */
  readonly renewal?: { readonly issuer: ServerIssuer; readonly chosenBy: "admin" | "scenario" };
}

/** Whether a scenario names a renewal, and not a defect. */
export function isRenewal(name: string): name is ServerRenewal {
  return serverRenewals.some((renewal) => renewal === name);
}
