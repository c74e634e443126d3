/**
 * Reads a body to its end.
 * @param longest in bytes
 * @returns undefined if it is longer: the rest is not read
 */
export async function readBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // This destroys a stream that is not read to its end.
    if (size > longest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
