import { firstCommands } from "../view/curl.js";
import { type Filter, noFilter } from "../view/entry.js";
import { identityFiles } from "../view/environment-file.js";
import { visible } from "../view/format.js";
import { hash, icon } from "../view/parts.js";
import { type ConnectionState, emptyState, nothingFits } from "../view/shell.js";
import { h } from "../view/tree.js";
import { DetailPanel } from "./detail-panel.js";
import { byId, patch } from "./dom.js";
import { factsOfIdentity } from "./files.js";
import { Live } from "./live.js";
import { RequestList } from "./request-list.js";
import { go } from "./router.js";
import type { Store } from "./store.js";

/** How long after a key the name of a client counts as typed, in milliseconds. */
const typingTime = 250;

/** How long a page that nobody sees goes on to follow, in milliseconds. */
const hiddenTime = 60_000;

/** The page of requests: filter, list, details, and what keeps them up to date. */
export class RequestsView {
  readonly list: RequestList;
  readonly #detail: DetailPanel;
  readonly #live: Live;
  readonly #store: Store;
  #filter: Filter = noFilter;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #paused = false;
  #resting = false;
  #connection: ConnectionState = "connecting";
  #example: string | undefined;
  /** Whether it is known what the journal holds: before, the list is as the server painted it. */
  #loaded = false;

  constructor(store: Store) {
    this.#store = store;
    this.list = new RequestList(byId("list"), () => this.#showCounts());
    this.#detail = new DetailPanel(byId("detail"), this.list);
    this.#live = new Live({
      all: (entries) => {
        if (this.#paused) return;
        this.#loaded = true;
        this.list.replace(entries);
      },
      one: (entry) => this.list.add(entry),
      connection: (connection) => {
        this.#connection = connection;
        this.#showConnection();
      },
    });
    byId("list").addEventListener("click", ({ target }) => {
      const row = (target as Element).closest(".row");
      if (row) go(hash("requests", row.id), this.#isOpen);
    });
    byId("list").addEventListener("keydown", (event) => this.#onKey(event));
    byId("filter").addEventListener("input", () => this.#readFilter());
  }

  start(): void {
    this.#live.follow(this.#filter);
    let timer: ReturnType<typeof setTimeout> | undefined;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => this.#rest(), hiddenTime);
      else if (this.#resting) {
        this.#resting = false;
        this.#live.follow();
      }
    });
  }

  #rest(): void {
    this.#resting = true;
    this.#live.rest();
  }

  /** Shows the details of an entry, such as `r12`; undefined closes them. */
  async open(key: string | undefined): Promise<void> {
    this.list.choose(key);
    await this.#detail.show(key);
  }

  setFilter(change: Partial<Filter>): void {
    const before = this.#filter;
    this.#filter = { ...before, ...change };
    const { client, operation, outcome } = this.#filter;
    for (const button of document.querySelectorAll<HTMLElement>("[data-outcome]")) {
      button.setAttribute("aria-pressed", String(button.dataset["outcome"] === outcome));
    }
    this.list.filterBy(this.#filter);
    // The journal is longer than the list: what fits may lie further back.
    if (client !== before.client || operation !== before.operation) this.#live.follow(this.#filter);
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.list.pause(paused);
    this.#showConnection();
    // What came while nobody looked, and was not kept.
    if (!paused) void this.#live.load();
  }

  #showConnection(): void {
    const connection = this.#paused && this.#connection !== "lost" ? "paused" : this.#connection;
    this.#store.set({ connection });
  }

  get #isOpen(): boolean {
    return !byId("detail").hidden;
  }

  #readFilter(): void {
    const [text, client, operation] = ["filter-text", "filter-client", "filter-operation"].map((id) =>
      byId<HTMLInputElement>(id).value.trim(),
    );
    clearTimeout(this.#typing);
    const filter = { text: text ?? "", client: client ?? "", operation: operation ?? "" };
    // A name that is still being typed is nobody's, and would empty the list.
    if (filter.client === this.#filter.client) this.setFilter(filter);
    else this.#typing = setTimeout(() => this.setFilter(filter), typingTime);
  }

  #onKey(event: KeyboardEvent): void {
    const distance = distances[event.key];
    if (distance !== undefined) {
      event.preventDefault();
      const key = this.list.neighbour(distance);
      if (key !== undefined) go(hash("requests", key), this.#isOpen);
    } else if (event.key === "Enter" || event.key === "ArrowRight") byId("detail").focus();
  }

  #showCounts(): void {
    const counts = this.list.counts();
    for (const button of document.querySelectorAll<HTMLElement>("[data-outcome]")) {
      const count = button.querySelector(".count");
      if (count) count.textContent = String(counts[button.dataset["outcome"] as Filter["outcome"]]);
    }
    this.#showPause();
    this.#suggestClients();
    const empty = byId("empty");
    empty.hidden = !this.list.isEmpty || !this.#loaded;
    if (!empty.hidden)
      patch(empty, [
        counts.all > 0 || this.list.entries.length > 0 || this.#isNarrowed ? nothingFits() : this.#firstSteps(),
      ]);
  }

  get #isNarrowed(): boolean {
    return this.#filter.client !== "" || this.#filter.operation !== "";
  }

  #showPause(): void {
    const button = byId("pause");
    button.setAttribute("aria-pressed", String(this.#paused));
    const waiting = this.#paused && this.list.waiting > 0 ? ` (${this.list.waiting})` : "";
    patch(button, [
      icon(this.#paused ? "resume" : "pause"),
      h("span", {}, this.#paused ? `Resume${waiting}` : "Pause"),
    ]);
  }

  /** Clients are suggested as they are seen: there may be thousands, and most tests' are of no interest here. */
  #suggestClients(): void {
    const seen = new Set<string>();
    for (const entry of this.list.entries) {
      if (entry.kind === "request" && entry.exchange.client !== null) seen.add(entry.exchange.client);
      if (seen.size === 50) break;
    }
    patch(
      byId("seen-clients"),
      [...seen].sort().map((client) => h("option", { value: visible(client) })),
    );
  }

  #firstSteps() {
    if (this.#example === undefined) {
      this.#example = "";
      // Without the commands it says the most important thing, too.
      this.#fetchExample().catch(() => {});
    }
    return emptyState(document.body.dataset["url"] ?? "", this.#example || undefined);
  }

  async #fetchExample(): Promise<void> {
    const facts = await factsOfIdentity("demo");
    if (!facts) return;
    this.#example = firstCommands(identityFiles(facts, true));
    this.#showCounts();
  }
}

const distances: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  End: Number.MAX_SAFE_INTEGER,
  Home: -Number.MAX_SAFE_INTEGER,
};
