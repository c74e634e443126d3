import type { ConnectionState } from "../view/shell.js";

/** What happens to the journal, for all tabs of a browser. */
export type News =
  /** Something arrived, or the stream has begun: ask again. */
  | { readonly kind: "news" }
  | { readonly kind: "cleared" }
  | { readonly kind: "connection"; readonly state: ConnectionState }
  /** A tab that has just been opened wants to know how the connection is. */
  | { readonly kind: "ask" };

/** How long to wait, after the stream was refused, before it is tried again, in milliseconds. */
const retryTime = 2000;

const name = "payments-sandbox-journal";

/** The stream of a query that nothing matches: it sends no entries, but `counts` whenever there is something new. */
const address = `/journal/stream?${new URLSearchParams({ q: "kind:request kind:handshake" })}`;

/**
 * One stream for all tabs of a browser, which has only six connections to one host: a tab that holds a lock has the stream, and tells
 * the others. The stream only says that there is something new; each tab then asks for what it shows.
 */
export class Feed {
  readonly #channel = new BroadcastChannel(name);
  readonly #listener: (news: News) => void;
  #resting: AbortController | undefined;
  /** How the stream is, where this tab has it. */
  #state: ConnectionState | undefined;

  constructor(listener: (news: News) => void) {
    this.#listener = listener;
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data as News));
  }

  follow(): void {
    if (this.#resting) return;
    const resting = new AbortController();
    this.#resting = resting;
    this.#channel.postMessage({ kind: "ask" } satisfies News);
    void this.#lead(resting.signal);
  }

  /** Leaves the stream to other tabs. Without any, the sandbox does not have to write what is not read. */
  rest(): void {
    this.#resting?.abort();
    this.#resting = undefined;
  }

  /** Waits until no other tab has the stream. Browsers offer locks only where the page is at localhost; elsewhere each tab has a stream. */
  async #lead(resting: AbortSignal): Promise<void> {
    const { locks } = navigator as { readonly locks?: LockManager };
    if (!locks) return this.#stream(resting);
    await locks.request(name, { signal: resting }, () => this.#stream(resting)).catch(() => {});
  }

  /** Has the stream until this tab rests. */
  async #stream(resting: AbortSignal): Promise<void> {
    while (!resting.aborted) {
      await this.#streamOnce(resting);
      await new Promise((resolve) => setTimeout(resolve, resting.aborted ? 0 : retryTime));
    }
    this.#state = undefined;
  }

  #streamOnce(resting: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const source = new EventSource(address);
      const end = () => {
        source.close();
        resolve();
      };
      resting.addEventListener("abort", end, { once: true });
      source.addEventListener("open", () => {
        this.#tell({ kind: "connection", state: "live" });
        this.#tell({ kind: "news" });
      });
      source.addEventListener("error", () => {
        this.#tell({ kind: "connection", state: "lost" });
        // A refusal ends the stream for good. Why, and whether that is over, is found out by trying again.
        if (source.readyState === EventSource.CLOSED) end();
      });
      source.addEventListener("counts", () => this.#tell({ kind: "news" }));
      source.addEventListener("cleared", () => this.#tell({ kind: "cleared" }));
    });
  }

  #tell(news: News): void {
    if (news.kind === "connection") this.#state = news.state;
    this.#channel.postMessage(news);
    this.#listener(news);
  }

  #hear(news: News): void {
    if (news.kind !== "ask") this.#listener(news);
    else if (this.#state !== undefined)
      this.#channel.postMessage({ kind: "connection", state: this.#state } satisfies News);
  }
}
