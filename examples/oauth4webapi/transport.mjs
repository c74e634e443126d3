import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
// `fetch` from the same package as `Pool`: Node's own `fetch` does not work with the pools of another undici.
import { fetch, Pool } from "undici";

/** The maximum number of attempts for a request that fails temporarily. */
const attempts = 4;

/** Milliseconds for one attempt. */
const timeOut = 5000;

/**
 * The connections of one certificate, as a `fetch` for OAuth libraries. Temporary failures are retried: no connection, an
 * incomplete answer, 429 and 5xx. That is safe here, because no request of this client changes anything.
 * @param url any URL of the service: a pool belongs to one host
 * @param identity `ca`, `cert` and `key` are PEM. The CA replaces the default ones: no other CA is trusted.
 */
export function createTransport({ url, ca, cert, key }) {
  const dispatcher = new Pool(new URL(url).origin, { connect: { ca, cert, key } });

  async function send(url, options) {
    for (let attempt = 1; ; attempt += 1) {
      const correlationId = randomUUID();
      const answer = await exchange(url, options, correlationId).catch((error) => ({ error }));
      const outcome = answer.status ?? answer.error.cause?.message ?? answer.error.message;
      console.error(`${options.method} ${new URL(url).pathname} -> ${outcome}, correlation ID ${correlationId}`);
      const retryable = answer.error || answer.status === 429 || answer.status >= 500;
      if (retryable && attempt < attempts) {
        await sleep(waitOf(answer.headers?.get("retry-after")) || 200 * 2 ** (attempt - 1));
      } else if (answer.error) {
        throw answer.error;
      } else {
        return answer;
      }
    }
  }

  async function exchange(url, options, correlationId) {
    const headers = { ...options.headers, "X-Correlation-ID": correlationId };
    const signal = AbortSignal.timeout(timeOut);
    // A pool sends everything to its own host: a redirect is not followed, and is an error.
    const answer = await fetch(url, { ...options, headers, signal, redirect: "manual", dispatcher });
    // Read here: a body that is cut short is then a failure of the attempt, and is retried.
    const body = (await answer.text()) || null;
    return new Response(body, { status: answer.status, headers: [...answer.headers] });
  }

  return { send, close: () => dispatcher.close() };
}

/** The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3): milliseconds, at most 30 seconds. */
function waitOf(retryAfter) {
  const text = retryAfter ?? "";
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return wait > 0 ? Math.min(wait, 30_000) : 0;
}
