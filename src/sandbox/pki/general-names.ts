import { type Der, sequence, tagged, taggedBytes } from "./der.js";
import { addressBytes } from "./hostnames.js";
import { dnsName, excludedSubtrees, ipAddress, type NameConstraints, permittedSubtrees } from "./name-constraints.js";

/** The value of a name constraints extension (RFC 5280 §4.2.1.10). */
export function encodeNameConstraints({ permittedNames, excludedNames, permittedAddresses }: NameConstraints): Der {
  const subtree = (kind: number, base: Buffer) => sequence(taggedBytes(kind, base));
  const names = (bases: readonly string[]) => bases.map((name) => subtree(dnsName, Buffer.from(name)));
  const addresses = permittedAddresses.map((base) => subtree(ipAddress, base));
  return sequence(
    tagged(permittedSubtrees, ...names(permittedNames), ...addresses),
    ...(excludedNames.length > 0 ? [tagged(excludedSubtrees, ...names(excludedNames))] : []),
  );
}

/** The value of a subject alternative name extension (RFC 5280 §4.2.1.6). */
export function encodeAlternativeNames(hostnames: readonly string[]): Der {
  return sequence(
    ...hostnames.map((hostname) => {
      const bytes = addressBytes(hostname);
      return bytes ? taggedBytes(ipAddress, bytes) : taggedBytes(dnsName, Buffer.from(hostname));
    }),
  );
}
