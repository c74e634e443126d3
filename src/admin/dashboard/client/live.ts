import type { Exchange, Handshake } from "../view/data.js";
import { type Entry, handshakeEntry, merged, requestEntry } from "../view/entry.js";
import type { ConnectionState } from "../view/shell.js";
import { get } from "./api.js";
import { mostEntries } from "./request-list.js";

/** What the stream is asked for; empty texts mean anything. */
export interface Wanted {
  readonly client: string;
  readonly operation: string;
}

export interface LiveListener {
  /** The list as it is now, newest first. */
  all(entries: readonly Entry[]): void;
  one(entry: Entry): void;
  connection(state: ConnectionState): void;
}

/** How long to wait, after events were missed, for the burst to be over, in milliseconds. */
const quietTime = 700;

/** Follows the journal: the list as it is, and then every event. After a gap, whatever its reason, the list is fetched anew. */
export class Live {
  readonly #listener: LiveListener;
  #wanted: Wanted = { client: "", operation: "" };
  #source: EventSource | undefined;
  #loading: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  /** Begins to follow, or goes on with other wishes. */
  follow(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#source?.close();
    const source = new EventSource(`/requests/stream${queryOf(wanted)}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#listener.connection("live");
      void this.load();
    });
    source.addEventListener("error", () => {
      this.#listener.connection("lost");
      // A refusal ends the stream for good. The reason is found out by asking for the list, and so is that it is over.
      if (source.readyState === EventSource.CLOSED) this.#later(() => this.follow(this.#wanted), 2000);
    });
    source.addEventListener("request", ({ data }) => this.#listener.one(requestEntry(JSON.parse(data) as Exchange)));
    source.addEventListener("handshake", ({ data }) =>
      this.#listener.one(handshakeEntry(JSON.parse(data) as Handshake)),
    );
    source.addEventListener("missed", () => this.#later(() => void this.load(), quietTime));
  }

  /** Ends the stream: browsers have few connections to one host, and the sandbox need not write for nobody. */
  rest(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  /** Goes on after a rest. */
  wake(): void {
    if (!this.#source) this.follow(this.#wanted);
  }

  /** Fetches the list. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const query = queryOf(this.#wanted, { pageSize: String(mostEntries) });
    try {
      const [requests, handshakes] = await Promise.all([
        get<{ items: Exchange[] }>(`/requests${query}`, loading.signal),
        get<{ items: Handshake[] }>(`/handshakes?pageSize=${mostEntries}`, loading.signal),
      ]);
      this.#listener.all(merged(requests.items, handshakes.items, mostEntries));
    } catch (error) {
      if (!loading.signal.aborted && !(error instanceof TypeError)) throw error;
    }
  }

  #later(what: () => void, time: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(what, time);
  }
}

function queryOf({ client, operation }: Wanted, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    ...(client === "" ? {} : { client }),
    ...(operation === "" ? {} : { operation }),
    ...more,
  }).toString();
  return query === "" ? "" : `?${query}`;
}
