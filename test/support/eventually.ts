import { patience } from "./patience.js";

/**
 * Waits for what another process or the other end of a socket brings about.
 * @param look what there is so far; `undefined` and `false` mean that it is not there yet
 * @throws Error when it does not come within the patience of the tests
 */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + patience; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`did not come about: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
