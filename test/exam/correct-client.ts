import type { IncomingHttpHeaders } from "node:http";
import { Agent, type AgentOptions, type RequestOptions, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { patience } from "../support/patience.js";

/** The settings of a client, like `SANDBOX_*` for a command. */
export interface ClientSettings {
  readonly url: string;
  readonly clientId: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Reads certificate and key again, with one read, for a client whose files may be replaced. */
  readonly identity?: () => { readonly cert: string; readonly key: string };
  /** Asks for them, for one whose certificate was renewed. */
  readonly renewed?: () => Promise<{ readonly cert: string; readonly key: string }>;
  /** The time limit of an answer, in milliseconds. */
  readonly giveUpAfter?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer that is an error, which a client passes on to its caller. */
class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(`${status} ${code}`);
  }
}

export interface Token {
  readonly value: string;
  readonly type: string;
  /** The time of its renewal, on the monotonic clock. */
  readonly renewAt: number;
}

/** Attempts at one request. */
const mostAttempts = 5;
/** The first pause between attempts, in milliseconds; each is twice as long as the one before. */
const firstPause = 150;

/**
 * A client that does everything right, on bare `node:https`. Each of its decisions is a method: wrong clients override one.
 */
export class CorrectClient {
  readonly settings: ClientSettings;
  #agent: Agent | undefined;
  #token: Token | undefined;
  /** What was read instead of the files of the start. */
  #read: { readonly cert: string; readonly key: string } | undefined;
  #pending: Promise<Token> | undefined;

  constructor(settings: ClientSettings) {
    this.settings = settings;
  }

  /** A typical program: a token, two pings, a walk of several pages. */
  async run(): Promise<void> {
    await this.ping();
    await this.ping();
    await this.walk("/v1/payments", { pageSize: "10" });
  }

  async ping(): Promise<Answer> {
    return this.call("/v1/ping");
  }

  /** Reads a whole list; starts again when a cursor is refused. */
  async walk(path: string, filters: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.pages(path, filters);
      } catch (error) {
        const isRefused =
          error instanceof ServiceError && ["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"].includes(error.code ?? "");
        if (!isRefused || attempt === 3) throw error;
      }
    }
  }

  async pages(path: string, filters: Readonly<Record<string, string>>): Promise<unknown[]> {
    const rows: unknown[] = [];
    let cursor: string | undefined;
    const seen = new Set<string>();
    do {
      const page = await this.page(path, filters, cursor);
      rows.push(...page.rows);
      cursor = page.next;
      // In a circle with new cursors each time, the same pages come again.
      const signs = [cursor, page.rows.length === 0 ? undefined : JSON.stringify(page.rows)];
      for (const sign of signs.filter((each) => each !== undefined)) {
        if (seen.has(sign)) throw new Error("The list leads in a circle.");
        seen.add(sign);
      }
    } while (cursor !== undefined);
    return rows;
  }

  async page(path: string, filters: Readonly<Record<string, string>>, cursor: string | undefined) {
    const query = new URLSearchParams({ ...filters, ...(cursor !== undefined && { cursor }) });
    const answer = await this.call(query.size === 0 ? path : `${path}?${query}`);
    const { items, nextCursor } = JSON.parse(answer.text) as { items: unknown[]; nextCursor?: string | null };
    return { rows: items, next: nextCursor ?? undefined };
  }

  /** An authorised request. A token that is refused is renewed once. */
  async call(path: string, method = "GET"): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      this.reload();
      const token = await this.token();
      const answer = await this.persist(() => this.authorised(path, token, method));
      if (answer.status === 401) this.refused(token);
      if (answer.status === 401 && attempt === 1) continue;
      return this.checked(answer);
    }
  }

  authorised(path: string, token: Token, method = "GET"): Promise<Answer> {
    return this.send({ path, method, headers: { Authorization: `Bearer ${token.value}` } });
  }

  refused(token: Token): void {
    if (this.#token === token) this.#token = undefined;
  }

  checked(answer: Answer): Answer {
    if (answer.status < 300) return answer;
    throw new ServiceError(answer.status, codeOf(answer));
  }

  /** Repeats requests that may succeed the next time. */
  async persist(attemptOnce: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      let answer: Answer | undefined;
      try {
        answer = await attemptOnce();
        if (!this.isTransient(answer)) return answer;
        if (attempt >= this.mostAttempts()) return answer;
      } catch (error) {
        if (attempt >= this.mostAttempts()) throw error;
      }
      await this.pause(attempt, answer);
    }
  }

  isTransient({ status, headers }: Answer): boolean {
    const isOther = status === 200 && !headers["content-type"]?.startsWith("application/json");
    return isOther || status >= 500 || status === 408 || status === 429;
  }

  mostAttempts(): number {
    return mostAttempts;
  }

  /** A timer may fire a little early. */
  async pause(attempt: number, answer: Answer | undefined): Promise<void> {
    const after = answer?.headers["retry-after"];
    await sleep(after === undefined ? firstPause * 2 ** (attempt - 1) : waitOf(after) + 5);
  }

  /** The token, from the cache or from one shared request. */
  async token(): Promise<Token> {
    if (this.#token !== undefined && this.isFresh(this.#token)) return this.#token;
    this.#pending ??= this.requestToken().finally(() => {
      this.#pending = undefined;
    });
    this.#token = await this.#pending;
    return this.#token;
  }

  isFresh({ renewAt }: Token): boolean {
    return performance.now() < renewAt;
  }

  async requestToken(): Promise<Token> {
    for (let attempt = 1; ; attempt++) {
      const answer = this.checked(await this.persist(() => this.postForm()));
      const { access_token, token_type, expires_in } = JSON.parse(answer.text) as Record<string, never>;
      const lifetime = Number(expires_in) * 1000;
      const token = {
        value: String(access_token),
        type: String(token_type),
        renewAt: performance.now() + 0.8 * lifetime,
      };
      if (this.accepts(token)) return token;
      if (attempt === 2) throw new Error(`The token has the type ${token_type}.`);
    }
  }

  accepts({ type }: Token): boolean {
    return type.toLowerCase() === "bearer";
  }

  postForm(): Promise<Answer> {
    return this.post(this.form().toString());
  }

  form(): URLSearchParams {
    return new URLSearchParams({ grant_type: "client_credentials", client_id: this.settings.clientId, scope: "read" });
  }

  post(body: string, options: RequestOptions = {}): Promise<Answer> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", ...options.headers };
    return this.send({ path: "/oauth/v2/oauth-token", method: "POST", ...options, headers }, body);
  }

  /** A certificate that replaces the present one needs new connections, and a token of its own. */
  reload(): void {
    const read = this.settings.identity?.();
    if (read === undefined || read.cert === (this.#read ?? this.settings).cert) return;
    this.#read = read;
    this.#agent = undefined;
    this.#token = undefined;
  }

  /** One agent holds the connections of the client. */
  agent(): Agent {
    const { ca } = this.settings;
    const { cert, key } = this.#read ?? this.settings;
    this.#agent ??= new Agent({ keepAlive: true, ca, cert, key });
    return this.#agent;
  }

  async send(options: RequestOptions, body?: string): Promise<Answer> {
    const { url, giveUpAfter = patience } = this.settings;
    return new Promise((resolve, reject) => {
      const headers = { ...options.headers, ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }) };
      const outgoing = request(new URL(url), { agent: this.agent(), ...options, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      });
      const timer = setTimeout(() => outgoing.destroy(new Error("timed out")), giveUpAfter);
      outgoing.on("close", () => clearTimeout(timer));
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent?.destroy();
  }
}

/** What a connection of a client needs. */
export function tlsOf({ settings: { ca, cert, key } }: CorrectClient): AgentOptions {
  return { ca, cert, key };
}

function codeOf({ text }: Answer): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code;
  } catch {
    return undefined;
  }
}

/** RFC 9110 §10.2.3: seconds, or a date. In milliseconds. */
function waitOf(retryAfter: string): number {
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Math.max(0, Date.parse(retryAfter) - Date.now());
}
