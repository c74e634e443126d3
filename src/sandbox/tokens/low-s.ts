/** The order n of the curve P-256 (SEC 2 §2.4.2). */
const order = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n;

/** Half of the order, rounded down, as the 32 bytes of an `s`. */
const halfOrder = Buffer.from((order / 2n).toString(16).padStart(64, "0"), "hex");

/** An ES256 signature is `r` and `s`, 32 bytes each (RFC 7518 §3.4). */
const sLength = 32;

/**
 * Whether an ES256 signature has the smaller of its two possible values of `s`. If `(r, s)` is valid, `(r, n - s)` is
 * valid as well. Only one of them may be accepted: otherwise a token has two forms.
 */
export function isLowS(signature: Buffer): boolean {
  return signature.subarray(-sLength).compare(halfOrder) <= 0;
}

/** The same signature with the smaller `s`. */
export function withLowS(signature: Buffer): Buffer {
  if (isLowS(signature)) return signature;
  const s = order - BigInt(`0x${signature.toString("hex", signature.length - sLength)}`);
  return Buffer.concat([
    signature.subarray(0, -sLength),
    Buffer.from(s.toString(16).padStart(2 * sLength, "0"), "hex"),
  ]);
}
