import { Agent, request } from "node:http";
import type { AdminErrorCode } from "../admin/error-codes.js";
import { quote } from "../base/text/printable.js";
import { shownUrl } from "../base/text/user-information.js";
import { readBody } from "../sandbox/connection/bounded-body.js";
import { SandboxError } from "./error.js";

/** How long an exchange may take, in milliseconds. Creating 200 clients at once takes about a second. */
const timeoutMs = 60_000;

/** Longest answer, in bytes. A page of the journal is about a hundredth of it. */
const longestAnswer = 64 * 1024 * 1024;

/** A request to the admin API. */
interface AdminRequest {
  /** Parameters without a value are not sent. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly yaml?: string;
  /** A status that is accepted although it is not a success. */
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

  /** The JSON of an answer. The caller names its type; a test compares the types with the admin API's schemas. */
  async json<T>(method: string, path: string, sent: AdminRequest = {}): Promise<T> {
    const { bytes, type } = await this.#send(method, path, sent);
    if (!type.startsWith("application/json")) throw this.#noSandbox(`it answers with ${type || "no content type"}`);
    try {
      return JSON.parse(bytes.toString("utf8")) as T;
    } catch {
      throw this.#noSandbox("its answer is not valid JSON");
    }
  }

  async text(path: string): Promise<string> {
    return (await this.bytes(path)).toString("utf8");
  }

  async bytes(path: string): Promise<Buffer> {
    return (await this.#send("GET", path, {})).bytes;
  }

  /** Sends a request whose answer has no body. */
  async run(method: string, path: string, sent: AdminRequest = {}): Promise<void> {
    await this.#send(method, path, sent);
  }

  /** All items of a paged answer, or at most the first `limit` of them. */
  async all<T>(path: string, query: AdminRequest["query"] = {}, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
    const items: T[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const pageSize = String(Math.min(1000, Math.max(1, limit - items.length)));
      const page: { items: T[]; nextCursor?: string } = await this.json("GET", path, {
        query: { ...query, pageSize, cursor },
      });
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

  async #send(method: string, path: string, sent: AdminRequest): Promise<{ bytes: Buffer; type: string }> {
    if (this.#closed) throw new SandboxError("CLOSED", `The handle of the sandbox at ${this.shown} was closed.`);
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const answer = await this.#exchange(method, url, sent);
    if (answer.status < 300 || answer.status === sent.accept) return answer;
    throw this.#refusal(answer);
  }

  #exchange(method: string, url: URL, sent: AdminRequest) {
    const body = sent.yaml ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json));
    const headers: Record<string, string> = { Accept: "application/json, */*" };
    if (body !== undefined) {
      headers["Content-Type"] = sent.yaml === undefined ? "application/json" : "application/yaml";
      headers["Content-Length"] = String(Buffer.byteLength(body));
    }
    if (this.#token !== undefined) headers["Authorization"] = `Bearer ${this.#token}`;
    return new Promise<{ bytes: Buffer; type: string; status: number }>((resolve, reject) => {
      const fail = (error: Error) => reject(this.#unreachable(error));
      const outgoing = request(url, { method, headers, agent: this.#agent }, (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        readBody(incoming, longestAnswer).then((bytes) => {
          if (bytes !== undefined) resolve({ bytes, status, type: headers["content-type"] ?? "" });
          else reject(this.#noSandbox("its answer is too long", status));
        }, fail);
      });
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no whole answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      outgoing.on("close", () => clearTimeout(timer));
      outgoing.on("upgrade", (_incoming, socket) => {
        reject(this.#noSandbox("it answers with status 101", 101));
        socket.destroy();
      });
      outgoing.on("error", fail);
      outgoing.end(body);
    });
  }

  #refusal({ status, bytes }: { status: number; bytes: Buffer }): SandboxError {
    try {
      const { message, code } = JSON.parse(bytes.toString("utf8")) as { message: unknown; code: unknown };
      // The API port gives this answer to plain HTTP.
      if (code === "BAD_REQUEST") return this.#noSandbox(`it says "${message}"`, status);
      if (typeof message === "string" && typeof code === "string") {
        return new SandboxError(code as AdminErrorCode, message, { status });
      }
    } catch {
      // The body is not an error object of the admin API.
    }
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
