/** The positions of many rows, so that only visible rows need an element. */
export class Positions {
  /** The upper edge of each row, and the lower edge of the last one, in pixels. */
  readonly #edges: Float64Array;

  constructor(heights: readonly number[]) {
    this.#edges = new Float64Array(heights.length + 1);
    for (const [index, height] of heights.entries()) this.#edges[index + 1] = this.top(index) + height;
  }

  get count(): number {
    return this.#edges.length - 1;
  }

  /** The height of all rows together, in pixels. */
  get height(): number {
    return this.top(this.count);
  }

  /** The upper edge of a row, in pixels. */
  top(index: number): number {
    return this.#edges[index] ?? 0;
  }

  /** The row at a distance from the top, in pixels; the first or the last row if the distance is outside. */
  at(distance: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The nearest scroll position, in pixels, at which the whole row is visible in a window of this height. */
  scrolledTo(index: number, scrollTop: number, windowHeight: number): number {
    const top = this.top(index);
    const bottom = this.top(index + 1);
    if (top < scrollTop) return top;
    return bottom > scrollTop + windowHeight ? bottom - windowHeight : scrollTop;
  }
}
