import { connect } from "node:tls";

/** Where the sandbox reaches its own API, and whom it trusts there. */
interface OwnApi {
  readonly host: string;
  readonly port: number;
  /** The certificate of the CA, PEM. */
  readonly ca: string;
}

/** What a client presents, PEM. */
interface PresentedIdentity {
  readonly certPem: string;
  readonly keyPem: string;
}

/** The result of a connection with one request. */
interface OwnAnswer {
  /** What came back. */
  readonly answer: string;
  /** The local port, by which the journal identifies the connection. */
  readonly localPort: number;
  /** Why the connection ended, if it was not closed normally. */
  readonly problem: string | undefined;
}

/**
 * How long a connection may take, in milliseconds: longer than every delay of a scenario, which is two minutes at most.
 */
const longest = 130_000;

/** The certificate of the sandbox names it, whichever address it listens on. */
const servername = "localhost";

/**
 * Sends one request over mutual TLS to the sandbox's own API, and reads until the connection is closed. The server's
 * certificate is verified, as in any client.
 * @param identity undefined for a client without a certificate
 * @param signal ends the connection when the caller no longer waits
 * @throws Error when the handshake fails
 */
export function sendToOwnApi(
  { host, port, ca }: OwnApi,
  identity: PresentedIdentity | undefined,
  text: string,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  return new Promise((resolve, reject) => {
    const own = identity && { cert: identity.certPem, key: identity.keyPem };
    const socket = connect({ host, port, ca, servername, ...own });
    const chunks: Buffer[] = [];
    let localPort = 0;
    let problem: string | undefined;
    const timer = setTimeout(() => {
      problem = "the connection did not end in time";
      socket.destroy();
    }, longest);
    const leave = () => socket.destroy();
    signal.addEventListener("abort", leave, { once: true });
    socket.once("secureConnect", () => {
      localPort = socket.localPort ?? 0;
      socket.write(text, "latin1");
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      problem = error.code ?? error.message;
    });
    socket.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      if (localPort === 0) reject(new Error(problem ?? "The connection was closed."));
      else resolve({ answer: Buffer.concat(chunks).toString(), localPort, problem });
    });
  });
}
