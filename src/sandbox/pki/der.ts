import asn1, { type Asn1 } from "node-forge/lib/asn1.js";

/** One ASN.1 value, ready to be encoded by the Distinguished Encoding Rules (X.690). */
export type Der = Asn1;

const { Type } = asn1;
const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;

/** From 2050 on, RFC 5280 §4.1.2.5 requires the four-digit year. */
const generalizedTimeFrom = Date.UTC(2050, 0, 1);

/** X.690 §8.9. */
export function sequence(...parts: Der[]): Der {
  return asn1.create(UNIVERSAL, Type.SEQUENCE, true, parts);
}

/** A SET OF. DER sorts its parts by their encodings (X.690 §11.6). */
export function set(...items: Der[]): Der {
  const sorted = items.length < 2 ? items : items.toSorted((one, other) => Buffer.compare(encode(one), encode(other)));
  return asn1.create(UNIVERSAL, Type.SET, true, sorted);
}

/** An object identifier in its dotted form, such as `2.5.29.15`. */
export function objectId(dotted: string): Der {
  return asn1.create(UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());
}

/** A non-negative integer. Bytes are written unchanged, and must be minimal with a clear first bit. */
export function integer(value: number | Buffer): Der {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(asn1.integerToDer(value).getBytes(), "latin1");
  return primitive(Type.INTEGER, bytes);
}

/** X.690 §8.7. */
export function octets(bytes: Buffer): Der {
  return primitive(Type.OCTETSTRING, bytes);
}

/** @param unusedBits how many bits at the end of the last byte do not count */
export function bits(bytes: Buffer, unusedBits = 0): Der {
  return primitive(Type.BITSTRING, Buffer.concat([Buffer.of(unusedBits), bytes]));
}

/** A UTF8String. */
export function utf8(text: string): Der {
  return primitive(Type.UTF8, Buffer.from(text, "utf8"));
}

/** Two bytes for each character: the type of names in PKCS#12. */
export function bmpString(text: string): Der {
  return asn1.create(UNIVERSAL, Type.BMPSTRING, false, text);
}

/** True. DER omits a value that equals its default, and every boolean here defaults to false. */
export function yes(): Der {
  return primitive(Type.BOOLEAN, Buffer.of(0xff));
}

/** NULL: the parameters of an algorithm without parameters. */
export function nothing(): Der {
  return primitive(Type.NULL, Buffer.alloc(0));
}

/** @param instant milliseconds since the epoch; the fraction of a second is dropped */
export function time(instant: number): Der {
  const date = new Date(instant);
  return instant < generalizedTimeFrom
    ? asn1.create(UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(UNIVERSAL, Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(date));
}

/** A constructed value under a context tag, such as `[0] EXPLICIT`. */
export function tagged(tag: number, ...parts: Der[]): Der {
  return asn1.create(CONTEXT_SPECIFIC, tag, true, parts);
}

/** Bytes under a context tag, such as `[2] IMPLICIT IA5String`. */
export function taggedBytes(tag: number, bytes: Buffer): Der {
  return asn1.create(CONTEXT_SPECIFIC, tag, false, bytes.toString("latin1"));
}

/** The bytes of a value (X.690 §10). */
export function encode(value: Der): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), "latin1");
}

/** @throws Error when the bytes are not DER */
export function decode(bytes: Buffer): Der {
  // Bit strings stay as they are: an EC point begins with 0x04, which looks like an octet string.
  return asn1.fromDer(bytes.toString("latin1"), { strict: true, parseAllBytes: true, decodeBitStrings: false });
}

function primitive(type: number, bytes: Buffer): Der {
  return asn1.create(UNIVERSAL, type, false, bytes.toString("latin1"));
}
