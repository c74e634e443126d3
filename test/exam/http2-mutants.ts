import type { RequestOptions } from "node:https";
import type { HttpsRequest } from "../support/exchanged.js";
import { Http2Pool } from "../support/http2-session.js";
import { type Answer, CorrectClient } from "./correct-client.js";
import type { Mutant } from "./mutant.js";

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

/** Requests a list once, and accepts any result. */
class Resigned extends CorrectHttp2Client {
  override async run(): Promise<void> {
    await this.authorised("/v1/payouts", await this.token()).catch(() => {});
    await super.run();
  }
}

/** Sends three requests at once, and repeats one of the two that GOAWAY left out. */
class Forgetful extends CorrectHttp2Client {
  override async run(): Promise<void> {
    await this.ping();
    const token = await this.token();
    const send = (path: string) => this.authorised(path, token);
    const lists = ["/v1/payouts", "/v1/payments?pageSize=3"];
    await Promise.allSettled([this.ping(), ...lists.map(send)]);
    await send("/v1/payouts");
    await super.run();
  }
}

const once = (then: NonNullable<Exclude<Mutant["scenario"], string | undefined>["rules"]>[number]["then"]) => ({
  rules: [{ when: { operation: "list" as const, list: "payouts" }, limit: 1, then }],
});

/** HTTP/2 clients that do not repeat a request that was not processed. */
export const http2Mutants: readonly Mutant[] = [
  {
    fails: "h2.refused-retried",
    how: "does not repeat a refused stream",
    scenario: once({ stream: "refused" }),
    Client: Resigned,
  },
  {
    fails: "h2.goaway",
    how: "does not repeat requests that GOAWAY left out",
    scenario: once({ connection: { kind: "goaway", lastStream: "before" } }),
    Client: Resigned,
  },
  {
    fails: "h2.goaway",
    how: "repeats one of two requests that GOAWAY left out",
    // The other list has no answer yet when GOAWAY comes.
    scenario: {
      rules: [
        ...once({ connection: { kind: "goaway", lastStream: "before" } }).rules,
        { when: { operation: "list", list: "payments" }, limit: 1, then: { delay: "100ms" } },
      ],
    },
    Client: Forgetful,
  },
];
