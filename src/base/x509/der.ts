/** One value in DER (X.690 §8.1). */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The whole encoding: tag, length and content. */
  readonly encoding: Buffer;
}

/** The tags that a certificate needs here. `extensions` is `[3] EXPLICIT` of a TBSCertificate (RFC 5280 §4.1). */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  extensions: 0xa3,
};

/** Object identifiers of extensions (RFC 5280 §4.2.1): their content in hexadecimal. */
export const extensionIds = {
  subjectKeyIdentifier: "551d0e",
  keyUsage: "551d0f",
  basicConstraints: "551d13",
  nameConstraints: "551d1e",
  extendedKeyUsage: "551d25",
};

/**
 * Reads a sequence of values. Never throws. Lengths have up to three bytes: DER has only definite lengths, and a
 * certificate of 16 MiB does not pass a handshake.
 * @returns undefined when the bytes are not DER, or are undefined
 */
export function readElements(der: Buffer | undefined): Element[] | undefined {
  if (der === undefined) return undefined;
  const elements: Element[] = [];
  for (let at = 0; at < der.length; ) {
    const first = der[at + 1];
    if (first === undefined) return undefined;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    if (first === 0x80 || lengthBytes > 3 || start > der.length) return undefined;
    const end = start + (lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes));
    if (end > der.length) return undefined;
    elements.push({ tag: der[at] ?? 0, content: der.subarray(start, end), encoding: der.subarray(at, end) });
    at = end;
  }
  return elements;
}

/** The content, if the bytes are exactly one value and it has this tag; otherwise undefined. */
export function contentOf(der: Buffer | undefined, tag: number): Buffer | undefined {
  const elements = readElements(der);
  return elements?.length === 1 && elements[0]?.tag === tag ? elements[0].content : undefined;
}

/**
 * Reads what Node's `X509Certificate` does not show. Never throws.
 * @returns the encoded issuer and subject (of a certificate of version 3) and the values of the extensions, by `extensionIds`;
 *   undefined when the certificate cannot be read, or an extension appears twice (forbidden by RFC 5280 §4.2)
 */
export function readCertificate(
  der: Buffer,
): { issuer: Buffer | undefined; subject: Buffer | undefined; extensions: ReadonlyMap<string, Buffer> } | undefined {
  const toBeSigned = readElements(contentOf(der, tags.sequence))?.[0];
  const fields = toBeSigned?.tag === tags.sequence ? readElements(toBeSigned.content) : undefined;
  if (fields === undefined) return undefined;
  const extensions = new Map<string, Buffer>();
  const wrapper = fields.find(({ tag }) => tag === tags.extensions);
  const list = wrapper ? readElements(contentOf(wrapper.content, tags.sequence)) : [];
  if (list === undefined) return undefined;
  for (const { tag, content } of list) {
    // Extension ::= SEQUENCE { extnID, critical DEFAULT FALSE, extnValue }
    const parts = tag === tags.sequence ? readElements(content) : undefined;
    const [id, value] = [parts?.[0], parts?.at(-1)];
    if (id?.tag !== tags.objectIdentifier || value?.tag !== tags.octetString) return undefined;
    const name = id.content.toString("hex");
    if (extensions.has(name)) return undefined;
    extensions.set(name, value.content);
  }
  return { issuer: fields[3]?.encoding, subject: fields[5]?.encoding, extensions };
}
