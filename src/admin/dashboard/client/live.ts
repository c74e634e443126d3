import type { Exchange, Handshake } from "../view/data.js";
import { type Entry, handshakeEntry, merged, requestEntry } from "../view/entry.js";
import type { ConnectionState } from "../view/shell.js";
import { ApiError, get } from "./api.js";
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

/** More events in a second than a person can follow. The list is then fetched every second instead. */
const mostPerSecond = 600;

/** How many entries are fetched then. */
const sampleSize = 200;

/**
 * Follows the journal: the list as it is, and then every event. After a gap, whatever its reason, the list is fetched again; under
 * a load that a person cannot follow, the newest entries every second.
 */
export class Live {
  readonly #listener: LiveListener;
  #wanted: Wanted = { client: "", operation: "" };
  #source: EventSource | undefined;
  #loading: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Events since the second began. */
  #count = 0;
  #secondBegan = 0;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  /** Begins to follow, or goes on with other wishes. */
  follow(wanted: Wanted = this.#wanted): void {
    this.rest();
    this.#wanted = wanted;
    const source = new EventSource(`/requests/stream${queryOf(wanted)}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#listener.connection("live");
      void this.load();
    });
    source.addEventListener("error", () => {
      this.#listener.connection("lost");
      // A refusal ends the stream for good. Why, and whether that is over, is found out by trying again.
      if (source.readyState === EventSource.CLOSED) this.#later(() => this.follow(), 2000);
    });
    source.addEventListener("request", ({ data }) => this.#hear(requestEntry, data));
    source.addEventListener("handshake", ({ data }) => this.#hear(handshakeEntry, data));
    source.addEventListener("missed", () => this.#later(() => void this.load(), quietTime));
  }

  /** Ends the stream: browsers have few connections to one host, and the sandbox does not have to write events that are not read. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Fetches the list. @returns its newest entries, or undefined when it could not be fetched, or is fetched again */
  async load(size: number = mostEntries): Promise<readonly Entry[] | undefined> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const pageSize = String(size);
    try {
      const [requests, handshakes] = await Promise.all([
        get<{ items: Exchange[] }>(`/requests${queryOf(this.#wanted, { pageSize })}`, loading.signal),
        get<{ items: Handshake[] }>(`/handshakes?pageSize=${pageSize}`, loading.signal),
      ]);
      const entries = merged(requests.items, handshakes.items, size);
      this.#listener.all(entries);
      return entries;
    } catch (error) {
      // The stream notices, too, and tries again.
      if (loading.signal.aborted || error instanceof TypeError || error instanceof ApiError) return undefined;
      throw error;
    }
  }

  #hear<T>(entryOf: (item: T) => Entry, data: string): void {
    // What was on its way when the stream was left.
    if (!this.#source) return;
    const now = performance.now();
    if (now - this.#secondBegan > 1000) {
      this.#secondBegan = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > mostPerSecond) this.#sample(new Set());
    else this.#listener.one(entryOf(JSON.parse(data) as T));
  }

  /** @param known the keys that were there a second ago */
  #sample(known: ReadonlySet<string>): void {
    this.rest();
    this.#listener.connection("busy");
    this.#later(async () => {
      const entries = await this.load(sampleSize);
      if (this.#source) return;
      const fresh = entries?.filter(({ key }) => !known.has(key)).length ?? 0;
      if (known.size > 0 && fresh < sampleSize / 2) this.follow();
      else this.#sample(new Set(entries?.map(({ key }) => key)));
    }, 1000);
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
