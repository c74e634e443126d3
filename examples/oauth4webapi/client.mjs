import * as oauth from "oauth4webapi";
import { createTransport } from "./transport.mjs";

/** A token is replaced this many seconds before it expires: it must still be valid when it arrives. */
const early = 10;

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
  #server;
  #client;
  #transport;
  #options;
  #token;
  #pendingToken;

  constructor({ url, clientId, ca, cert, key }) {
    this.#transport = createTransport({ url, ca, cert, key });
    this.#options = { [oauth.customFetch]: this.#transport.send };
    // All endpoints have one address, so `use_mtls_endpoint_aliases` is not needed.
    this.#server = { issuer: url, token_endpoint: `${url}/oauth/v2/oauth-token` };
    this.#client = { client_id: clientId };
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
    let token = await this.#accessToken();
    let answer = await this.#call(target, token);
    if (answer.status === 401) {
      if (this.#token?.value === token) this.#token = undefined;
      token = await this.#accessToken();
      answer = await this.#call(target, token);
    }
    return bodyOf(answer);
  }

  close() {
    return this.#transport.close();
  }

  /** The token, from the cache while it is valid. Concurrent calls share one request for it. */
  async #accessToken() {
    if (this.#token && Date.now() < this.#token.ends) return this.#token.value;
    this.#pendingToken ??= this.#issueToken().finally(() => {
      this.#pendingToken = undefined;
    });
    return this.#pendingToken;
  }

  /** The certificate of the connection authenticates the client (RFC 8705 §2); only `client_id` is sent. */
  async #issueToken() {
    const sentAt = Date.now();
    const answer = await oauth.clientCredentialsGrantRequest(
      this.#server,
      this.#client,
      oauth.TlsClientAuth(),
      { scope: "read" },
      this.#options,
    );
    const token = await oauth.processClientCredentialsResponse(this.#server, this.#client, answer).catch((error) => {
      // The library reads `error` of RFC 6749; the service's own code is next to it.
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      const correlationId = error.response.headers.get("x-correlation-id");
      throw new ApiError({ ...error.cause, status: error.status }, correlationId);
    });
    if (token.token_type !== "bearer") throw new Error(`a token of type ${token.token_type}`);
    this.#token = { value: token.access_token, ends: sentAt + (token.expires_in - early) * 1000 };
    return token.access_token;
  }

  async #call(target, token) {
    const url = new URL(this.#server.issuer + target);
    try {
      return await oauth.protectedResourceRequest(token, "GET", url, undefined, null, this.#options);
    } catch (error) {
      // The library throws an exception for a challenge (WWW-Authenticate). The exception has the answer.
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
      throw error;
    }
  }
}

/** The body of an answer. @throws ApiError if it is not a success */
async function bodyOf(answer) {
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const body = isJson ? await answer.json() : {};
  if (!answer.ok) throw new ApiError({ ...body, status: answer.status }, answer.headers.get("x-correlation-id"));
  if (!isJson) throw new Error(`an answer of the type ${answer.headers.get("content-type")} instead of JSON`);
  return body;
}
