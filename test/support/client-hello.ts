import { createServer, type Socket } from "node:net";
import { connect } from "node:tls";

/** The first bytes that Node's TLS client sends. */
export async function clientHello(servername: string, ALPNProtocols: string[] = []): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const received = new Promise<Buffer>((resolve) => {
    server.once("connection", (socket: Socket) =>
      socket.once("data", (bytes: Buffer) => {
        socket.destroy();
        resolve(bytes);
      }),
    );
  });
  const client = connect({ port, host: "127.0.0.1", servername, ALPNProtocols });
  client.on("error", () => {});
  const bytes = await received;
  server.close();
  return bytes;
}
