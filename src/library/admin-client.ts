import { Agent, request } from "node:http";
import type { Answer, CallName, Item, Sent } from "../admin/call-types.js";
import type { AdminErrorCode } from "../admin/error-codes.js";
import { jsonIn, jsonObject } from "../base/text/json-object.js";
import { quote } from "../base/text/printable.js";
import { shownUrl } from "../base/text/user-information.js";
import { SandboxError } from "./error.js";
import { ExchangeError, exchange } from "./http-exchange.js";

const limits = {
  /** Creating 200 clients at once takes about a second. */
  timeoutMs: 60_000,
  /** A page of the journal is about a hundredth of it. */
  longest: 64 * 1024 * 1024,
};

/** What a call is sent. `Sent` has the types for each one. */
interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  /** Parameters without a value are not sent. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** A text is sent as YAML, everything else as JSON. */
  readonly body?: unknown;
  readonly client?: string | undefined;
  readonly accept?: number;
}

/**
 * A client of the admin API. It does not use the global `fetch`: test suites replace it (jsdom, mocks of other
 * services).
 */
export class AdminClient {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** The same without user and password, for messages. */
  readonly shown: string;
  readonly #token: string | undefined;
  // A new connection for each request: on loopback it is cheap, and an idle connection can fail.
  readonly #agent = new Agent({ keepAlive: false, maxSockets: 128 });
  #closed = false;

  /** @throws SandboxError when the URL cannot be used */
  constructor(url: string, token: string | undefined) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.protocol !== "http:" || parsed.search !== "" || parsed.hash !== "") {
      throw new SandboxError(
        "INVALID_OPTION",
        `The admin URL ${quote(shownUrl(url))} must have the form http://HOST:PORT; the admin API speaks plain HTTP.`,
      );
    }
    this.url = parsed.href.replace(/\/+$/, "");
    this.shown = shownUrl(this.url);
    this.#token = token;
  }

  /** Makes a call whose answer is JSON. */
  async call<Name extends CallName>(name: Name, sent: Sent<Name>): Promise<Answer<Name>> {
    const { bytes, type } = await this.#send(name, sent);
    if (!type.startsWith("application/json")) throw this.#noSandbox(`it answers with ${type || "no content type"}`);
    const answer = jsonIn(bytes.toString("utf8"));
    if (answer === undefined) throw this.#noSandbox("its answer is not valid JSON");
    return answer as Answer<Name>;
  }

  /** Makes a call whose answer has no body. */
  async run<Name extends CallName>(name: Name, sent: Sent<Name>): Promise<void> {
    await this.#send(name, sent);
  }

  async text(path: string): Promise<string> {
    return (await this.bytes(path)).toString("utf8");
  }

  async bytes(path: string): Promise<Buffer> {
    return (await this.#send(`GET ${path}`, {})).bytes;
  }

  /** All items of a paged answer, or at most the first `limit` of them. */
  async all<Name extends CallName>(
    name: Name,
    query: Parts["query"] = {},
    limit = Number.POSITIVE_INFINITY,
  ): Promise<Item<Name>[]> {
    const items: Item<Name>[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const pageSize = String(Math.min(1000, Math.max(1, limit - items.length)));
      const sent: Parts = { query: { ...query, pageSize, cursor } };
      const page = (await this.call(name, sent as Sent<Name>)) as { items: Item<Name>[]; nextCursor?: string };
      if (page.nextCursor !== undefined && seen.has(page.nextCursor))
        throw this.#noSandbox("it returns the same page again and again");
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined && items.length < limit);
    return items;
  }

  close(): void {
    this.#closed = true;
    this.#agent.destroy();
  }

  async #send(name: string, { params = {}, query = {}, body, client, accept }: Parts) {
    if (this.#closed) throw new SandboxError("CLOSED", `The handle of the sandbox at ${this.shown} was closed.`);
    const [method = "", path = ""] = name.split(" ");
    const whole = client === undefined ? path : `/clients/{id}${path}`;
    const values = client === undefined ? params : { ...params, id: client };
    const url = new URL(this.url + whole.replaceAll(/\{(\w+)\}/g, (_, key) => encodeURIComponent(values[key] ?? "")));
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const answer = await this.#exchange(method, url, body);
    if (answer.status < 300 || answer.status === accept) return answer;
    throw this.#refusal(answer);
  }

  async #exchange(method: string, url: URL, content: unknown) {
    const isYaml = typeof content === "string";
    const body = isYaml || content === undefined ? content : JSON.stringify(content);
    const headers: Record<string, string> = { Accept: "application/json, */*" };
    if (body !== undefined) {
      headers["Content-Type"] = isYaml ? "application/yaml" : "application/json";
      headers["Content-Length"] = String(Buffer.byteLength(body));
    }
    if (this.#token !== undefined) headers["Authorization"] = `Bearer ${this.#token}`;
    const outgoing = request(url, { method, headers, agent: this.#agent });
    const { head, body: bytes } = await exchange(outgoing, body, limits).catch((error) => {
      throw error instanceof ExchangeError && error.kind === "upgraded"
        ? this.#noSandbox("it answers with status 101", 101)
        : this.#unreachable(error);
    });
    const { statusCode: status = 0, headers: received } = head;
    if (bytes === undefined) throw this.#noSandbox("its answer is too long", status);
    return { bytes, status, type: received["content-type"] ?? "" };
  }

  #refusal({ status, bytes }: { status: number; bytes: Buffer }): SandboxError {
    const { message, code } = jsonObject(bytes.toString("utf8"));
    // The API port gives this answer to plain HTTP.
    if (code === "BAD_REQUEST") return this.#noSandbox(`it says "${message}"`, status);
    if (typeof message === "string" && typeof code === "string")
      return new SandboxError(code as AdminErrorCode, message, { status });
    return this.#noSandbox(`it answers with status ${status}`, status);
  }

  #noSandbox(why: string, status?: number): SandboxError {
    return new SandboxError(
      "NO_SANDBOX",
      `The server at ${this.shown} is not the admin API of a sandbox: ${why}. Give the admin URL, not the URL of the API.`,
      { status },
    );
  }

  #unreachable(cause: Error): SandboxError {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (this.#closed) return new SandboxError("CLOSED", `The handle of the sandbox at ${this.shown} was closed.`);
    return new SandboxError(
      "UNREACHABLE",
      `No sandbox answers at ${this.shown} (${code ?? message}). Is it running, and is this its admin URL?`,
      { cause },
    );
  }
}
