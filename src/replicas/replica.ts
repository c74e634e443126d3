/** What a log is applied to. */
export interface Replica {
  /**
   * Applies a command. The caller of `append` at this replica gets what it returns or throws. After a SharedStateError
   * it is applied again.
   * @param own whether the caller was at this replica
   * @param isOld whether it was in the log before the state was last restored
   */
  apply(command: unknown, own: boolean, isOld: boolean): unknown;
  /** Called each time that the state is that of a position. */
  reached(position: string): void;
  /**
   * Restores the state at the position of the log that is returned: that of the snapshot, or the start if there is
   * none.
   */
  restore(): Promise<string | undefined>;
  /** Called with a whole sentence when something failed, or works again. */
  warn(sentence: string): void;
}
