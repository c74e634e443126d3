import { Agent, request } from "node:http";
import { exchange } from "../library/http-exchange.js";

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
 * @throws as `exchange`
 */
export async function getPlainly(
  url: string,
  { headers = {}, timeoutMs, longest = Number.POSITIVE_INFINITY }: Reading = {},
): Promise<{ readonly status: number; readonly body: Buffer | undefined }> {
  const outgoing = request(url, { headers, agent: new Agent({ keepAlive: false }) });
  const { head, body } = await exchange(outgoing, undefined, { timeoutMs, longest });
  return { status: head.statusCode ?? 0, body };
}
