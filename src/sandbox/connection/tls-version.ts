import { enumerated } from "../../base/text/enumerated.js";

/** The versions of TLS that the API port can speak, the lowest one first. */
export const tlsVersions = ["1.2", "1.3"] as const;

export type TlsVersion = (typeof tlsVersions)[number];

/** The lowest and the highest version. */
export interface TlsVersionRange {
  readonly min: TlsVersion;
  readonly max: TlsVersion;
}

/** The range of all of them. */
export const everyVersion: TlsVersionRange = { min: "1.2", max: "1.3" };

/**
 * What a client offers, as names of OpenSSL such as `TLSv1.1`. Clients before TLS 1.3 say only the highest (RFC 8446
 * §4.2.1).
 */
export interface OfferedVersions {
  readonly lowest: string | undefined;
  readonly highest: string;
}

/** The versions in a range. */
export function versionsIn({ min, max }: TlsVersionRange): readonly TlsVersion[] {
  return tlsVersions.slice(tlsVersions.indexOf(min), tlsVersions.indexOf(max) + 1);
}

/** The versions of a range in words: `TLS 1.2 and 1.3`. */
export function describeVersions(range: TlsVersionRange): string {
  const versions = versionsIn(range);
  return `TLS ${enumerated(versions, "and")}${versions.length === 1 ? " only" : ""}`;
}

/** A version by the name that OpenSSL and the journal use. */
export function protocolName<Version extends TlsVersion>(version: Version): `TLSv${Version}` {
  return `TLSv${version}`;
}
