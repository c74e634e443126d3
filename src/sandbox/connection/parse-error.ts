/** What Node's HTTP parser was reading when it met an error. */
export interface ParseError extends Error {
  readonly rawPacket?: unknown;
  readonly bytesParsed?: unknown;
}

/**
 * Whether the head in which the parser met an error begins with HEAD, as far as its packet shows: the answer has no
 * body (RFC 9110 §9.3.2).
 */
export function isOfHead({ rawPacket, bytesParsed }: ParseError): boolean {
  if (!(rawPacket instanceof Buffer) || typeof bytesParsed !== "number") return false;
  const before = rawPacket.lastIndexOf("\r\n\r\n", bytesParsed - 1);
  return rawPacket.toString("latin1", before < 0 ? 0 : before + 4, bytesParsed).startsWith("HEAD ");
}
