/** Counts the requests whose answers are owed or on their way, of all connections: each bound of a connection counts as often as there are connections. */
export class OpenRequests {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * One more.
   * @param isOnly whether it is the only one of its connection, for which there is always room: connections have a limit of their own
   * @returns false where there is no room for it; it is not counted then
   */
  enter(isOnly: boolean): boolean {
    if (!isOnly && this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }

  leave(number = 1): void {
    this.#count -= number;
  }
}
