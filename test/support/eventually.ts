import { patience } from "./patience.js";

/**
 * Waits for a result of another process or the other end of a socket.
 * @param look returns the result; `undefined` and `false` mean that it does not exist yet
 * @param what the result, for the message of the error; the text of `look` without it
 * @throws Error when it does not exist within the time-out of the tests
 */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what = String(look),
): Promise<T> {
  for (const deadline = performance.now() + patience; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
