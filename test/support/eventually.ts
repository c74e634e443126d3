import { patience } from "./patience.js";

/**
 * Waits for a result of another process or the other end of a socket.
 * @param look returns the result; `undefined` and `false` mean that it does not exist yet
 * @throws Error when it does not exist within the time-out of the tests
 */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + patience; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`did not happen: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
