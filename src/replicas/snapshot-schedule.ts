/**
 * A snapshot is taken after this number of commands, or after as many commands as there are clients if that is more. So
 * it costs as much as a few commands.
 */
const fewest = 1000;

/** Says when a snapshot is due. */
export class SnapshotSchedule {
  #commands = 0;
  #due = fewest;

  /**
   * The state is that of a snapshot.
   * @param clients the number of clients
   */
  begin(clients: number): void {
    this.#commands = 0;
    this.#due = Math.max(fewest, clients);
  }

  /**
   * A command was applied.
   * @returns whether a snapshot is due; if so, the count begins again
   */
  applied(clients: number): boolean {
    this.#commands += 1;
    if (this.#commands < this.#due) return false;
    this.begin(clients);
    return true;
  }
}
