import { useEffect } from "preact/hooks";
import { useLatest } from "../hooks.js";
import type { ConnectionState } from "../shell.js";

/** News about the journal, for all tabs of a browser. */
export type News =
  /** New entries, or the stream has begun: fetch again. */
  | { readonly kind: "news" }
  | { readonly kind: "cleared" }
  | { readonly kind: "connection"; readonly state: ConnectionState }
  /** A new tab requests the state of the connection. */
  | { readonly kind: "ask" };

/** How long to wait before a retry after the stream was refused, in milliseconds. */
const retryTime = 2000;

/** How long a hidden page continues to follow the journal, in milliseconds. */
const hiddenTime = 60_000;

const name = "payments-sandbox-journal";

/** The stream of a query that matches nothing: it sends no entries, but `counts` whenever there is something new. */
const address = `/journal/stream?${new URLSearchParams({ q: "kind:request kind:handshake" })}`;

/**
 * One stream for all tabs of a browser, because a browser has only six connections to one host. The tab that holds a
 * lock has the stream, and notifies the others. The stream only says that there is something new; each tab then fetches
 * what it shows.
 */
class Feed {
  readonly #channel = new BroadcastChannel(name);
  readonly #listener: (news: News) => void;
  #resting: AbortController | undefined;
  /** The state of the stream, if this tab has it. */
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

  /** Leaves the stream to other tabs. If there are none, the sandbox does not have to send a stream. */
  rest(): void {
    this.#resting?.abort();
    this.#resting = undefined;
  }

  /**
   * Waits until no other tab has the stream. Browsers have locks only at localhost; elsewhere each tab has a stream.
   */
  async #lead(resting: AbortSignal): Promise<void> {
    const { locks } = navigator as { readonly locks?: LockManager };
    if (!locks) return this.#stream(resting);
    await locks.request(name, { signal: resting }, () => this.#stream(resting)).catch(() => {});
  }

  /** Keeps the stream open until this tab rests. */
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
        // After a refusal, the browser does not reconnect. Retry with a new stream.
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

/** Follows the journal while the page is visible, and some time longer. */
export function useFeed(listener: (news: News) => void): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const feed = new Feed((news) => latest.current(news));
    feed.follow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => feed.rest(), hiddenTime);
      else {
        feed.follow();
        latest.current({ kind: "news" });
      }
    });
  }, []);
}
