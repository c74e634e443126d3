import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A free port of the loopback addresses that no other test gets. It is below 32768, from where systems take ports for
 * port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await isFree("127.0.0.1", port)) && (await isFree("::1", port))) return port;
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    // On a machine without IPv6 there is no ::1, and nothing listens on it.
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE"));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
