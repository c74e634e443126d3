import { useEffect } from "preact/hooks";
import { addressOf } from "../api.js";
import { useLatest } from "../hooks.js";
import type { ConnectionState } from "../shell.js";

/** Is told what happens to the journal. */
interface FeedListener {
  /** There are new entries, or the stream has begun: fetch again. */
  news(): void;
  cleared(): void;
  connection(state: ConnectionState): void;
}

/** How long to wait before a retry after the stream was refused, in milliseconds. */
const retryTime = 2000;

/** The stream of a query that matches nothing: it sends no entries, but `counts` whenever there is something new. */
const address = `/journal/stream?${new URLSearchParams({ q: "kind:request kind:handshake" })}`;

/**
 * Follows the journal while the page is visible. A hidden page has no stream, because a browser has only six
 * connections to one host.
 * @param isWanted false for a run that has ended
 */
export function useFeed(listener: FeedListener, isWanted: boolean): void {
  const latest = useLatest(listener);
  useEffect(() => {
    if (!isWanted) return;
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
        latest.current.connection("live");
        latest.current.news();
      });
      stream.addEventListener("error", () => {
        latest.current.connection("lost");
        // After a refusal, the browser does not reconnect.
        if (stream.readyState === EventSource.CLOSED) timer = setTimeout(begin, retryTime);
      });
      stream.addEventListener("counts", () => latest.current.news());
      stream.addEventListener("cleared", () => latest.current.cleared());
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      document.removeEventListener("visibilitychange", begin);
      end();
    };
  }, []);
}
