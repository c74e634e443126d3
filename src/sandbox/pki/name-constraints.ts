import { X509Certificate } from "node:crypto";
import { contentOf, type Element, extensionIds, readCertificate, readElements, tags } from "../../base/x509/der.js";
import { CertsError, type ConstraintsForm } from "./certs.js";
import { addressBytes } from "./hostnames.js";

/** What a CA may issue certificates for (RFC 5280 §4.2.1.10). A DNS name includes all names below it. */
export interface NameConstraints {
  readonly permittedNames: readonly string[];
  readonly excludedNames: readonly string[];
  /** Address and mask, one after the other: 8 bytes for IPv4, 32 for IPv6. Empty: every address is permitted. */
  readonly permittedAddresses: readonly Buffer[];
}

/**
 * Names that cannot be registered on the internet (RFC 6761 §6.2, §6.3), the compose service, and the host as containers
 * see it. They are always permitted, so that such a name does not need a new CA, which users would have to trust again.
 */
const standingNames = ["localhost", "sandbox", "test", "host.docker.internal"];

/** 127.0.0.0/8 and ::1/128: this machine. */
const standingAddresses = [
  Buffer.from([127, 0, 0, 0, 255, 0, 0, 0]),
  Buffer.concat([Buffer.alloc(15), Buffer.of(1), Buffer.alloc(16, 0xff)]),
];

/** Tags of NameConstraints (RFC 5280 §4.2.1.10). */
export const permittedSubtrees = 0;
export const excludedSubtrees = 1;
/** Tags of GeneralName (RFC 5280 §4.2.1.6). */
export const dnsName = 2;
export const ipAddress = 7;
/** The first bits of a context tag (X.690 §8.1.2). */
const primitive = 0x80;
const constructed = 0xa0;

/**
 * The constraints of a new CA: the names and addresses that are always permitted, and those of the server that these do
 * not cover.
 */
export function constraintsFor(hostnames: readonly string[], form: ConstraintsForm): NameConstraints {
  const standing = { permittedNames: standingNames, excludedNames: [], permittedAddresses: standingAddresses };
  const outside = hostnames.filter((hostname) => !permits(standing, hostname));
  const names = outside.filter((hostname) => !addressBytes(hostname));
  const addresses = outside.map(addressBytes).filter((bytes) => bytes !== undefined);
  return {
    permittedNames: [...standingNames, ...names],
    // A name of one label may be a top-level domain (`app`, `dev`): names below it are excluded, unless one of them is
    // configured too.
    excludedNames: names
      .filter((name) => !name.includes(".") && !names.some((other) => other.endsWith(`.${name}`)))
      .map((name) => `.${name}`),
    permittedAddresses:
      form === "names"
        ? []
        : [...standingAddresses, ...addresses.map((bytes) => Buffer.concat([bytes, Buffer.alloc(bytes.length, 0xff)]))],
  };
}

/**
 * Whether a CA with these constraints may issue a server certificate for a host name or an IP address.
 * @internal exported for its test, which tries forms that no setting makes
 */
export function permits(constraints: NameConstraints, hostname: string): boolean {
  const bytes = addressBytes(hostname);
  if (bytes) {
    const { permittedAddresses } = constraints;
    return permittedAddresses.length === 0 || permittedAddresses.some((subtree) => addressIsWithin(bytes, subtree));
  }
  return (
    constraints.permittedNames.some((subtree) => nameIsWithin(hostname, subtree)) &&
    !constraints.excludedNames.some((subtree) => nameIsWithin(hostname, subtree))
  );
}

/**
 * What a CA may issue for. Kinds of names that the sandbox does not use are ignored.
 * @param certPem of the CA; of several certificates the first
 * @returns undefined without name constraints, which every CA made here has
 * @throws Error when it is not a certificate
 */
export function constraintsOf({ certPem }: { certPem: string }): NameConstraints | undefined {
  const parts = readCertificate(new X509Certificate(certPem).raw);
  if (!parts) throw new Error("The certificate of the CA cannot be read.");
  const value = parts.extensions.get(extensionIds.nameConstraints);
  return value && decoded(value);
}

/** @throws CertsError when a CA may not issue a server certificate for one of these */
export function refuseHostnames(ca: { certPem: string }, hostnames: readonly string[]): void {
  const constraints = constraintsOf(ca);
  const refused = constraints && hostnames.find((hostname) => !permits(constraints, hostname));
  if (refused === undefined) return;
  throw new CertsError(
    "HOSTNAME_NOT_PERMITTED",
    `The CA in ca.pem may not issue a certificate for "${refused}": its name constraints were set when it was made. Start with --fresh-certs to make everything again for this name, or use a name that ends with .test or .localhost.`,
  );
}

/**
 * The form of a CA's name constraints, which was chosen when it was made. CAs of releases that had one form alone are
 * `strict`.
 */
export function constraintsFormOf(ca: { certPem: string }): ConstraintsForm {
  return constraintsOf(ca)?.permittedAddresses.length ? "strict" : "names";
}

function decoded(value: Buffer): NameConstraints {
  const inside = ({ content }: Element): Element[] => readElements(content) ?? [];
  const subtrees = readElements(contentOf(value, tags.sequence)) ?? [];
  const bases = (which: number, kind: number): Buffer[] =>
    subtrees
      .filter(({ tag }) => tag === constructed + which)
      .flatMap(inside)
      .flatMap((subtree) => inside(subtree).slice(0, 1))
      .filter(({ tag }) => tag === primitive + kind)
      .map(({ content }) => content);
  return {
    permittedNames: bases(permittedSubtrees, dnsName).map(String),
    excludedNames: bases(excludedSubtrees, dnsName).map(String),
    permittedAddresses: bases(permittedSubtrees, ipAddress),
  };
}

function nameIsWithin(name: string, subtree: string): boolean {
  // A leading dot excludes the name itself. OpenSSL, Go, NSS and Java all read it that way.
  return subtree.startsWith(".") ? name.endsWith(subtree) : name === subtree || name.endsWith(`.${subtree}`);
}

function addressIsWithin(address: Buffer, subtree: Buffer): boolean {
  if (subtree.length !== address.length * 2) return false;
  const mask = subtree.subarray(address.length);
  return address.every((byte, index) => ((byte ^ (subtree[index] ?? 0)) & (mask[index] ?? 0)) === 0);
}
