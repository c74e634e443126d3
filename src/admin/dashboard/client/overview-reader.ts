import type { Overview } from "../view/data.js";
import { rangeIn, withTerms } from "../view/query-text.js";
import { get, orUndefined } from "./api.js";
import { Chart } from "./chart.js";
import type { Paint } from "./dom.js";

/** How often the overview is fetched, in milliseconds. */
const interval = 3000;

/** After a slow answer, the next request waits this many times its duration: the sandbox has other work. */
const restFactor = 16;

/** How many bars the chart has. */
const buckets = "60";

/** Keeps the chart and the groups above the list up to date. */
export class OverviewReader {
  readonly #chart: Chart;
  #query = "";
  #after = 0;
  #overview: Overview | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #isActive: () => boolean;

  /**
   * @param paint shows it
   * @param choose called with the instants of the chosen time
   * @param isActive whether the overview is visible
   */
  constructor(paint: Paint, choose: (from: string, to: string) => void, isActive: () => boolean) {
    this.#chart = new Chart(paint, choose);
    this.#isActive = isActive;
  }

  /** Writes it again. */
  repaint(): void {
    this.#chart.repaint();
  }

  /** The overview that is shown now. */
  get shown(): Overview | undefined {
    return this.#overview;
  }

  /**
   * Fetches the overview of a query now and periodically.
   * @param after entries up to this one are hidden in this browser
   */
  ask(query: string, after: number): void {
    this.#query = query;
    this.#after = after;
    clearTimeout(this.#timer);
    void this.#read();
  }

  async #read(): Promise<void> {
    const query = this.#query;
    const after = this.#after;
    const begun = performance.now();
    const { from, to } = rangeIn(query);
    const parameters = new URLSearchParams({ q: withTerms(query, ["from", "to"], []), buckets, span: "matches" });
    if (from !== undefined) parameters.set("from", new Date(from).toISOString());
    if (to !== undefined) parameters.set("to", new Date(to).toISOString());
    if (after > 0) parameters.set("after", String(after));
    // The stream shows when the sandbox cannot be reached.
    const overview = await orUndefined(get<Overview>(`/journal/overview?${parameters}`)).catch(() => undefined);
    if (query !== this.#query || after !== this.#after) return;
    if (overview) {
      this.#overview = overview;
      this.#chart.show(overview, from !== undefined || to !== undefined, Date.now());
    }
    this.#readIn(Math.max(interval, restFactor * (performance.now() - begun)));
  }

  #readIn(time: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#isActive() ? void this.#read() : this.#readIn(interval)), time);
  }
}
