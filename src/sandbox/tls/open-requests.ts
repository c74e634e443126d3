/**
 * Counts the requests of all connections whose answers are owed or on their way. The limits of one connection do not
 * limit their sum.
 */
export class OpenRequests {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts one more.
   * @param isOnly whether it is the only one of its connection, for which there is always room: connections have a
   *   limit of their own
   * @returns false if there is no room for it; it is not counted then
   */
  enter(isOnly: boolean): boolean {
    if (!isOnly && this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }

  get count(): number {
    return this.#count;
  }

  leave(number = 1): void {
    this.#count -= number;
  }
}
