import type { Overview } from "../view/data.js";
import { type BucketRange, instantsOf, OverviewPart } from "../view/overview.js";
import { byId, keepFocus, type Paint } from "./dom.js";

/** The chart above the list: the user chooses a time by dragging, or with keys. */
export class Chart {
  readonly #element = byId("overview");
  readonly #paintView: Paint;
  readonly #choose: (from: string, to: string) => void;
  #overview: Overview | undefined;
  #isNarrowed = false;
  #now = 0;
  /** The bucket that keys move; undefined before the first key: the newest bucket. */
  #cursor: number | undefined;
  /** The start of the range that is being chosen. */
  #anchor: number | undefined;
  #isDragging = false;

  /** @param choose called with the instants of the chosen time */
  constructor(paint: Paint, choose: (from: string, to: string) => void) {
    this.#paintView = paint;
    this.#choose = choose;
    const element = this.#element;
    element.addEventListener("pointerdown", (event) => {
      const chart = (event.target as Element).closest("#chart");
      if (!chart || event.button !== 0) return;
      this.#isDragging = true;
      this.#anchor = this.#cursor = bucketAt(chart, event, this.#last);
      // The pointer may leave the chart while it is dragged.
      element.setPointerCapture(event.pointerId);
      this.#paint();
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.#isDragging) return;
      this.#cursor = bucketAt(byId("chart"), event, this.#last);
      this.#paint();
    });
    element.addEventListener("pointerup", () => {
      if (this.#isDragging) this.#apply();
    });
    element.addEventListener("pointercancel", () => this.#forget());
    element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /**
   * @param isNarrowed whether the query is limited to a time
   * @param now on the clock of the journal, in milliseconds since the epoch
   */
  show(overview: Overview, isNarrowed: boolean, now: number): void {
    this.#isNarrowed = isNarrowed;
    this.#now = now;
    // The buckets do not move while the user chooses a range.
    if (this.#anchor === undefined) this.#overview = overview;
    this.#paint();
  }

  get #last(): number {
    return Math.max((this.#overview?.buckets.length ?? 1) - 1, 0);
  }

  get #range(): BucketRange | undefined {
    if (this.#anchor === undefined || this.#cursor === undefined) return undefined;
    return { first: Math.min(this.#anchor, this.#cursor), last: Math.max(this.#anchor, this.#cursor) };
  }

  /** Writes it again. */
  repaint(): void {
    this.#paint();
  }

  #paint(): void {
    const overview = this.#overview;
    if (!overview) return;
    const cursor = Math.min(this.#cursor ?? this.#last, this.#last);
    const content = (
      <OverviewPart
        overview={overview}
        cursor={cursor}
        range={this.#range}
        isNarrowed={this.#isNarrowed}
        now={this.#now}
      />
    );
    keepFocus(this.#element, byId("query"), () => this.#paintView(content, this.#element));
  }

  #apply(): void {
    const range = this.#range ?? { first: this.#cursor ?? this.#last, last: this.#cursor ?? this.#last };
    const overview = this.#overview;
    this.#forget();
    if (!overview) return;
    const { from, to } = instantsOf(overview, range);
    this.#choose(from, to);
  }

  #forget(): void {
    this.#isDragging = false;
    this.#anchor = undefined;
    this.#cursor = undefined;
    this.#paint();
  }

  #onKey(event: KeyboardEvent): void {
    if ((event.target as Element).id !== "chart") return;
    const at = this.#cursor ?? this.#last;
    const target = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 10,
      PageDown: at + 10,
      Home: 0,
      End: this.#last,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      if (event.shiftKey) this.#anchor ??= at;
      else this.#anchor = undefined;
      this.#cursor = Math.min(Math.max(target, 0), this.#last);
      this.#paint();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#apply();
    } else if (event.key === "Escape" && this.#anchor !== undefined) {
      event.stopPropagation();
      this.#forget();
    }
  }
}

function bucketAt(chart: Element, { clientX }: PointerEvent, last: number): number {
  const { left, width } = chart.getBoundingClientRect();
  return Math.min(Math.max(Math.floor(((clientX - left) / Math.max(width, 1)) * (last + 1)), 0), last);
}
