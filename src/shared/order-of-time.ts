/** Puts what several replicas have seen into the order in which it was over. */
export class OrderOfTime<T> {
  #waiting: { readonly item: T; readonly overAt: number }[] = [];

  add(item: T, overAt: number): void {
    this.#waiting.push({ item, overAt });
  }

  /** Takes out what was over by an instant, the earliest first; of one instant, in the order in which it came. */
  takeUntil(instant: number): readonly T[] {
    this.#waiting.sort((one, other) => one.overAt - other.overAt);
    const later = this.#waiting.findIndex(({ overAt }) => overAt > instant);
    return this.#waiting.splice(0, later === -1 ? this.#waiting.length : later).map(({ item }) => item);
  }

  clear(): void {
    this.#waiting = [];
  }
}
