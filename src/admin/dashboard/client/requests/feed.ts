import { useEffect } from "preact/hooks";
import { addressOf } from "../api.js";
import { useLatest } from "../hooks.js";
import type { ConnectionState } from "../shell.js";

/** News about the journal. */
export type News =
  /** New entries, or the stream has begun: fetch again. */
  | { readonly kind: "news" }
  | { readonly kind: "cleared" }
  | { readonly kind: "connection"; readonly state: ConnectionState };

/** How long to wait before a retry after the stream was refused, in milliseconds. */
const retryTime = 2000;

/** The stream of a query that matches nothing: it sends no entries, but `counts` whenever there is something new. */
const address = `/journal/stream?${new URLSearchParams({ q: "kind:request kind:handshake" })}`;

/**
 * Follows the journal while the page is visible. A hidden page has no stream, because a browser has only six
 * connections to one host.
 * @param isWanted false for a run that has ended
 */
export function useFeed(listener: (news: News) => void, isWanted: boolean): void {
  const latest = useLatest(listener);
  useEffect(() => {
    if (!isWanted) return;
    const tell = (news: News) => latest.current(news);
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const end = () => {
      clearTimeout(timer);
      source?.close();
    };
    const begin = () => {
      end();
      if (document.hidden) return;
      const stream = new EventSource(addressOf(address));
      source = stream;
      stream.addEventListener("open", () => {
        tell({ kind: "connection", state: "live" });
        tell({ kind: "news" });
      });
      stream.addEventListener("error", () => {
        tell({ kind: "connection", state: "lost" });
        // After a refusal, the browser does not reconnect.
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(begin, retryTime);
      });
      stream.addEventListener("counts", () => tell({ kind: "news" }));
      stream.addEventListener("cleared", () => tell({ kind: "cleared" }));
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      document.removeEventListener("visibilitychange", begin);
      end();
    };
  }, []);
}
