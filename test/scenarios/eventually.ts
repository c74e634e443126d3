/** Waits for what another process, the file system or the other end of a socket brings about. */
export async function eventually(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error(`did not become true: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
