import { Agent, get, type IncomingMessage } from "node:http";
import { readBody } from "../sandbox/connection/bounded-body.js";

/** How an answer over plain HTTP is awaited and read. */
interface Reading {
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the whole answer may take. Without it there is no limit. */
  readonly timeoutMs?: number;
  /** Longest body, in bytes. Without it there is no limit. */
  readonly longest?: number;
}

/**
 * Sends a GET to an admin API, without following redirects. It goes there directly: the global `fetch` and Node's own
 * agent go through a proxy if the environment has NODE_USE_ENV_PROXY.
 * @returns the status, and the body unless it is too long
 * @throws what Node's client throws; a TimeoutError after the time
 */
export async function getPlainly(
  url: string,
  { headers = {}, timeoutMs, longest = Number.POSITIVE_INFINITY }: Reading = {},
): Promise<{ readonly status: number; readonly body: Buffer | undefined }> {
  const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = get(
        url,
        { headers, agent: new Agent({ keepAlive: false }), ...(signal && { signal }) },
        resolve,
      );
      outgoing.on("error", reject);
      outgoing.on("upgrade", (_incoming, socket) => {
        reject(new Error("the server answered 101 Switching Protocols"));
        socket.destroy();
      });
    });
    return { status: incoming.statusCode ?? 0, body: await readBody(incoming, longest) };
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
