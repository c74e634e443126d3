import type { RequestOptions } from "node:https";
import type { HttpsRequest } from "../support/exchanged.js";
import { Http2Pool } from "../support/http2-session.js";
import { type Answer, CorrectClient } from "./correct-client.js";

/** The correct client, over HTTP/2. */
export class CorrectHttp2Client extends CorrectClient {
  #pool: Http2Pool | undefined;

  override send({ path, method = "GET", headers }: RequestOptions, body?: string): Promise<Answer> {
    const { url, ca, cert, key } = this.settings;
    this.#pool ??= new Http2Pool(url, { ca, identity: { cert, key } });
    const given = headers as NonNullable<HttpsRequest["headers"]>;
    return this.#pool.send(String(path), { method, headers: given, ...(body !== undefined && { body }) });
  }

  override close(): void {
    this.#pool?.close();
    super.close();
  }
}
