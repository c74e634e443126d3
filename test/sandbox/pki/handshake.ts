import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ConnectionOptions, connect, createServer, type TlsOptions } from "node:tls";

/**
 * Makes one TLS connection on the loopback interface.
 * @returns why the client refused the server (code and message), or undefined, and the server's verdict on the client
 */
export async function handshake(
  server: TlsOptions,
  client: ConnectionOptions,
): Promise<{ refusal: string | undefined; clientTrusted: boolean }> {
  const listener = createServer({ requestCert: true, rejectUnauthorized: false, ...server });
  listener.on("tlsClientError", () => {});
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    const { port } = listener.address() as AddressInfo;
    let clientTrusted = false;
    const judged = new Promise<void>((resolve) => {
      listener.once("secureConnection", (socket) => {
        clientTrusted = socket.authorized;
        socket.on("error", () => {});
        socket.end();
        resolve();
      });
    });
    const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ...client });
    const refusal = await new Promise<string | undefined>((resolve) => {
      socket.once("secureConnect", () => resolve(undefined));
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(`${error.code}: ${error.message}`));
    });
    if (refusal === undefined) await judged;
    socket.destroy();
    return { refusal, clientTrusted };
  } finally {
    listener.close();
  }
}
