import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of the loopback addresses that nothing listens on, and that no other test is given: systems take those for port 0 from
 * 32768 on.
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
    // A machine without IPv6 has no ::1, and nobody who listens on it.
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "EADDRINUSE"));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
