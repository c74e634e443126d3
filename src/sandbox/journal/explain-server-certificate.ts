import type { PresentedCertificate } from "../connection/server-certificate.js";

/** What was special about the good certificate that the server presented; empty for the one of the start. */
export function explainRenewal(shown: PresentedCertificate | undefined): string {
  if (shown?.renewal === undefined) return "";
  const { thumbprint, renewal } = shown;
  const choice = renewal.chosenBy === "admin" ? "by the admin API" : "by the scenario that is active for all";
  if (renewal.issuer === "next-ca")
    return `The server presented a certificate of the next CA (thumbprint ${thumbprint}), ${choice}. It is good: a client that has read ca.pem since the announcement trusts both roots and goes on; one that holds the old ca.pem, or pins a certificate, cannot.`;
  return `The server presented its renewed certificate (thumbprint ${thumbprint}), ${choice}. It is good: a client that trusts the CA goes on, and one that pins the old certificate cannot.`;
}
