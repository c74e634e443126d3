/** One DER element: where its content begins and ends in the bytes that it was read from. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 0x06;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const EXTENSIONS = 0xa3;

const KEY_USAGE = "551d0f";
const EXTENDED_KEY_USAGE = "551d25";
const CLIENT_AUTHENTICATION = "2b06010505070302";
const ANY_EXTENDED_KEY_USAGE = "551d2500";

/** The first bit of the key usage bit string: digitalSignature. */
const DIGITAL_SIGNATURE = 0x80;

/**
 * Whether a certificate may be used by a TLS client: extended key usage absent, clientAuth or anyExtendedKeyUsage (RFC 5280
 * §4.2.1.12), and key usage absent or with digitalSignature (§4.2.1.3, RFC 8446 §4.4.2.2).
 *
 * Node shows no key usage, so the DER encoding is read here. What cannot be read, and an extension that appears twice (forbidden by
 * §4.2), permits nothing. Never throws.
 */
export function permitsClientAuthentication(der: Uint8Array): boolean {
  const extensions = readExtensions(der);
  if (extensions === undefined) return false;
  return allowsSigning(der, extensions.get(KEY_USAGE)) && allowsClients(der, extensions.get(EXTENDED_KEY_USAGE));
}

function allowsSigning(der: Uint8Array, value: Element | undefined): boolean {
  if (value === undefined) return true;
  const bits = onlyChild(der, value, BIT_STRING);
  // The first byte counts the unused bits at the end.
  return bits !== undefined && bits.end - bits.start >= 2 && ((der[bits.start + 1] ?? 0) & DIGITAL_SIGNATURE) !== 0;
}

function allowsClients(der: Uint8Array, value: Element | undefined): boolean {
  if (value === undefined) return true;
  const purposes = onlyChild(der, value, SEQUENCE);
  const children = purposes && readChildren(der, purposes);
  return (
    children?.some((purpose) => {
      const identifier = purpose.tag === OBJECT_IDENTIFIER ? hex(der, purpose) : "";
      return identifier === CLIENT_AUTHENTICATION || identifier === ANY_EXTENDED_KEY_USAGE;
    }) ?? false
  );
}

/** The values of all extensions by object identifier (in hexadecimal), or undefined where the encoding is broken. */
function readExtensions(der: Uint8Array): Map<string, Element> | undefined {
  const certificate = onlyChild(der, { tag: 0, start: 0, end: der.length }, SEQUENCE);
  const toBeSigned = certificate && readChildren(der, certificate)?.[0];
  const fields = toBeSigned?.tag === SEQUENCE ? readChildren(der, toBeSigned) : undefined;
  if (fields === undefined) return undefined;

  const found = new Map<string, Element>();
  const wrapper = fields.find((field) => field.tag === EXTENSIONS);
  if (wrapper === undefined) return found;
  const list = onlyChild(der, wrapper, SEQUENCE);
  const extensions = list && readChildren(der, list);
  if (extensions === undefined) return undefined;

  for (const extension of extensions) {
    // Extension ::= SEQUENCE { extnID, critical DEFAULT FALSE, extnValue }
    const parts = extension.tag === SEQUENCE ? readChildren(der, extension) : undefined;
    const identifier = parts?.[0];
    const value = parts?.at(-1);
    if (identifier?.tag !== OBJECT_IDENTIFIER || value?.tag !== OCTET_STRING) return undefined;
    const name = hex(der, identifier);
    if (found.has(name)) return undefined;
    found.set(name, value);
  }
  return found;
}

function onlyChild(der: Uint8Array, parent: Element, tag: number): Element | undefined {
  const children = readChildren(der, parent);
  return children?.length === 1 && children[0]?.tag === tag ? children[0] : undefined;
}

function readChildren(der: Uint8Array, parent: Element): Element[] | undefined {
  const children: Element[] = [];
  for (let at = parent.start; at < parent.end; ) {
    const child = readElement(der, at, parent.end);
    if (child === undefined) return undefined;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** Definite lengths of up to three bytes only: DER has no others, and a certificate of 16 MiB does not pass a handshake. */
function readElement(der: Uint8Array, at: number, limit: number): Element | undefined {
  const tag = der[at];
  const first = der[at + 1];
  if (tag === undefined || first === undefined || at + 2 > limit) return undefined;
  let start = at + 2;
  let length = first;
  if (first >= 0x80) {
    const lengthBytes = first & 0x7f;
    if (lengthBytes === 0 || lengthBytes > 3 || start + lengthBytes > limit) return undefined;
    length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (der[start + i] ?? 0);
    start += lengthBytes;
  }
  const end = start + length;
  return end <= limit ? { tag, start, end } : undefined;
}

function hex(der: Uint8Array, element: Element): string {
  return Buffer.from(der.subarray(element.start, element.end)).toString("hex");
}
