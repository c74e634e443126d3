/** V8 copies what is shorter than this when it takes a part of a text. */
const shortestPart = 13;

/**
 * A text that is no part of another, and is not put together from others. Cursors and pages are kept for longer than the requests that
 * asked for them, whose targets have up to sixteen thousand characters.
 */
export function ownText(text: string): string {
  return text.length < shortestPart ? text : Buffer.from(text).toString();
}
