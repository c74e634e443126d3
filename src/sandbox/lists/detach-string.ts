/** V8 copies shorter texts than this when it takes a part of a text. */
const shortestPart = 13;

/**
 * A copy that does not keep a longer text in memory. V8 stores a part of a text as a reference to the whole. Cursors
 * and pages are kept longer than their requests, whose targets have up to 16,000 characters.
 */
export function detachString(text: string): string {
  return text.length < shortestPart ? text : Buffer.from(text).toString();
}
