// The code under test: a small client of the business API, as an SDK would have it. It knows nothing of the sandbox.
import { Agent, request } from "node:https";

export interface PaymentsClientOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  /** PEM. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface Payment {
  readonly id: string;
  readonly createdAt: string;
}

/** An answer that is an error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the request
  readonly body: any;
}

export class PaymentsClient {
  readonly #options: PaymentsClientOptions;
  readonly #agent: Agent;
  #token: Promise<string> | undefined;

  constructor(options: PaymentsClientOptions) {
    const { ca, cert, key } = options;
    this.#options = options;
    this.#agent = new Agent({ ca, cert, key, keepAlive: true });
  }

  async ping(): Promise<string> {
    return (await this.#get("/v1/ping")).status;
  }

  /** Walks all pages. When a cursor is refused, the walk starts again: once, so that it always ends. */
  async payments(pageSize = 10): Promise<Payment[]> {
    try {
      return await this.#walk(pageSize);
    } catch (error) {
      if (error instanceof ApiError && error.code === "INVALID_CURSOR") return this.#walk(pageSize);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #walk(pageSize: number): Promise<Payment[]> {
    const payments: Payment[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ pageSize: String(pageSize), ...(cursor !== undefined && { cursor }) });
      const page = await this.#get(`/v1/payments?${query}`);
      payments.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return payments;
  }

  /** A token that has expired is replaced: once. */
  async #get(path: string) {
    let answer = await this.#send("GET", path, { Authorization: `Bearer ${await this.#currentToken()}` });
    if (answer.status === 401) {
      this.#token = undefined;
      answer = await this.#send("GET", path, { Authorization: `Bearer ${await this.#currentToken()}` });
    }
    if (answer.status === 200) return answer.body;
    throw new ApiError(answer.status, answer.body.code, answer.body.message);
  }

  #currentToken(): Promise<string> {
    this.#token ??= this.#requestToken();
    return this.#token;
  }

  async #requestToken(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: this.#options.clientId,
      scope: "read",
    });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status, body } = await this.#send("POST", "/oauth/v2/oauth-token", headers, form.toString());
    if (status === 200) return body.access_token;
    throw new ApiError(status, body.code, body.message);
  }

  #send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.#options.baseUrl}${path}`,
        { method, headers, agent: this.#agent },
        (incoming) => {
          let text = "";
          incoming.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk;
          });
          incoming.on("error", reject);
          incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }));
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }
}
