import { createPrivateKey, randomUUID, X509Certificate } from "node:crypto";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** The maximum number of attempts for a request that fails temporarily. */
const attempts = 4;

/** Milliseconds for one attempt. */
const timeOut = 5000;

/** A token is replaced this many milliseconds before it expires: it must still be valid when it arrives. */
const early = 10_000;

/** After these refusals, a walk starts again without a cursor. */
const staleCursor = new Set(["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** An answer that is an error. Decide by `code`; the message is for people. */
export class ApiError extends Error {
  constructor({ status, code, message }, correlationId) {
    super(`${status} ${code ?? ""}: ${message ?? "no error object"} (correlation ID ${correlationId})`);
    this.name = "ApiError";
    this.status = status;
    /** Undefined if the body is not from the service: a proxy may have answered. */
    this.code = code;
    this.correlationId = correlationId;
  }
}

/** A client with one certificate. Its tokens are bound to that certificate, so each client has its own. */
export class PaymentsClient {
  #url;
  #clientId;
  #ca;
  #identity;
  #cert;
  #agent;
  #token;
  #pendingToken;

  /**
   * @param options `ca` is PEM, and replaces the default ones: no other CA is trusted. `identity` reads `cert` and `key`,
   *   PEM, each time that it is called.
   */
  constructor({ url, clientId, ca, identity }) {
    this.#url = url;
    this.#clientId = clientId;
    this.#ca = ca;
    this.#identity = identity;
    this.#reload();
  }

  /** Reads the files again. A new certificate needs new connections, and a token of its own. */
  #reload() {
    const { cert, key } = this.#identity();
    if (this.#cert?.equals(cert)) return;
    // The files may have been replaced between the two reads. The next call finds a pair that fits.
    if (this.#cert && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return;
    this.#cert = cert;
    this.#agent = new Agent({ keepAlive: true, ca: this.#ca, cert, key });
    this.#token = undefined;
  }

  ping(query = {}) {
    return this.get("/v1/ping", query);
  }

  /** Every row of a list, once, in order. With a cursor, the filters are exactly those of the first request. */
  async *list(path, filters = {}) {
    const seen = new Set();
    const sent = new Set();
    let restarted = false;
    for (let cursor; ; ) {
      const page = await this.get(path, { ...filters, pageSize: 5, ...(cursor && { cursor }) }).catch((error) => {
        if (!cursor || restarted || !staleCursor.has(error.code)) throw error;
      });
      if (page) {
        for (const row of page.items) {
          // A row appears again after a restart, or if new rows arrived during the walk.
          if (!seen.has(row.id)) yield row;
          seen.add(row.id);
        }
        // A page may be empty; the list ends only when there is no cursor.
        if (!page.nextCursor) return;
        if (sent.has(page.nextCursor)) throw new Error(`${path} leads in a circle`);
        sent.add(page.nextCursor);
      } else {
        restarted = true;
        sent.clear();
      }
      cursor = page?.nextCursor;
    }
  }

  /** A GET with a token. After a 401 the token is not valid any more: there is one retry with a new token. */
  async get(path, query = {}) {
    const target = `${path}?${new URLSearchParams(query)}`;
    this.#reload();
    let token = await this.#accessToken();
    let answer = await this.#send("GET", target, { Authorization: `Bearer ${token}` });
    if (answer.status === 401) {
      if (this.#token?.value === token) this.#token = undefined;
      this.#reload();
      token = await this.#accessToken();
      answer = await this.#send("GET", target, { Authorization: `Bearer ${token}` });
    }
    return bodyOf(answer);
  }

  close() {
    this.#agent.destroy();
  }

  /** The token, from the cache while it is valid. Concurrent calls share one request for it. */
  async #accessToken() {
    if (this.#token && Date.now() < this.#token.ends) return this.#token.value;
    this.#pendingToken ??= this.#issueToken().finally(() => {
      this.#pendingToken = undefined;
    });
    return this.#pendingToken;
  }

  async #issueToken() {
    const form = new URLSearchParams({
      client_id: this.#clientId,
      grant_type: "client_credentials",
      scope: "read",
    });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const sentAt = Date.now();
    const token = bodyOf(await this.#send("POST", "/oauth/v2/oauth-token", headers, form.toString()));
    if (token.token_type.toLowerCase() !== "bearer") throw new Error(`a token of type ${token.token_type}`);
    this.#token = { value: token.access_token, ends: sentAt + token.expires_in * 1000 - early };
    return token.access_token;
  }

  /**
   * Sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is safe here,
   * because no request of this client changes anything.
   */
  async #send(method, target, headers, body) {
    for (let attempt = 1; ; attempt += 1) {
      const correlationId = randomUUID();
      const answer = await this.#exchange(
        method,
        target,
        { ...headers, "X-Correlation-ID": correlationId },
        body,
      ).catch((error) => ({ error }));
      const path = target.split("?", 1)[0];
      console.error(`${method} ${path} -> ${answer.status ?? answer.error.message}, correlation ID ${correlationId}`);
      const retryable = answer.error || answer.status === 429 || answer.status >= 500;
      if (retryable && attempt < attempts) {
        await sleep(waitOf(answer.headers?.["retry-after"]) || 200 * 2 ** (attempt - 1));
      } else if (answer.error) {
        throw answer.error;
      } else {
        return { ...answer, correlationId };
      }
    }
  }

  #exchange(method, target, headers, body) {
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, signal: AbortSignal.timeout(timeOut) };
      const outgoing = request(this.#url + target, options, async (incoming) => {
        try {
          let text = "";
          incoming.setEncoding("utf8");
          for await (const chunk of incoming) text += chunk;
          resolve({ status: incoming.statusCode, headers: incoming.headers, text });
        } catch (error) {
          // The body was cut short: the part that arrived is not used.
          reject(error);
        }
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }
}

/** @throws ApiError if the answer is not a success */
function bodyOf({ status, headers, text, correlationId }) {
  const isJson = headers["content-type"]?.startsWith("application/json");
  const body = isJson ? JSON.parse(text) : {};
  if (status < 200 || status > 299) throw new ApiError({ ...body, status }, correlationId);
  if (!isJson) throw new Error(`an answer of the type ${headers["content-type"]} instead of JSON`);
  return body;
}

/** The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3): milliseconds, at most 30 seconds. */
function waitOf(retryAfter) {
  const text = retryAfter ?? "";
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return wait > 0 ? Math.min(wait, 30_000) : 0;
}
