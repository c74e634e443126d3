import type { Distribution, Sample } from "./table.js";

/** Replaces every label of a new label set when there are too many. */
const overflowLabel = "other";

/** Separates labels in a key. Labels that a client can influence never contain it. */
const separator = "\0";

/** Label sets of one tally. The fixed parts of the sandbox's labels make some hundred; names of scenarios add more. */
const mostLabelSets = 2000;

interface Count extends Sample {
  value: number;
}

/** Counts by label set. It is independent of the journal: nothing resets it. */
export class Tally {
  readonly #counts = new Map<string, Count>();

  /** @param most maximum number of label sets; further ones are counted under `other` */
  constructor(private readonly most = mostLabelSets) {}

  /**
   * Adds one.
   * @param labels the same number in every call
   */
  add(...labels: readonly string[]): void {
    const count = this.#counts.get(labels.join(separator)) ?? this.#newCount(labels);
    count.value += 1;
  }

  get samples(): readonly Sample[] {
    return [...this.#counts.values()];
  }

  #newCount(sent: readonly string[]): Count {
    const labels = this.#counts.size < this.most ? sent : sent.map(() => overflowLabel);
    const key = labels.join(separator);
    const count = this.#counts.get(key) ?? { labels, value: 0 };
    this.#counts.set(key, count);
    return count;
  }
}

/** Counts values by size. */
export class Histogram implements Distribution {
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += value;
  }
}

/** Histograms by one label. */
export class Histograms {
  readonly #byLabel = new Map<string, Histogram>();

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(private readonly bounds: readonly number[]) {}

  observe(label: string, value: number): void {
    let histogram = this.#byLabel.get(label);
    if (histogram === undefined) {
      histogram = new Histogram(this.bounds);
      this.#byLabel.set(label, histogram);
    }
    histogram.observe(value);
  }

  get samples(): readonly Sample[] {
    return [...this.#byLabel].map(([label, value]) => ({ labels: [label], value }));
  }
}
