/** Sorts observations of several replicas by the time at which they were over. */
export class OrderOfTime<T> {
  #waiting: { readonly item: T; readonly overAt: number }[] = [];

  add(item: T, overAt: number): void {
    this.#waiting.push({ item, overAt });
  }

  /**
   * Removes and returns the items that were over by an instant, the earliest first; items of one instant keep their
   * order.
   */
  takeUntil(instant: number): readonly T[] {
    this.#waiting.sort((one, other) => one.overAt - other.overAt);
    const later = this.#waiting.findIndex(({ overAt }) => overAt > instant);
    return this.#waiting.splice(0, later === -1 ? this.#waiting.length : later).map(({ item }) => item);
  }

  clear(): void {
    this.#waiting = [];
  }
}
