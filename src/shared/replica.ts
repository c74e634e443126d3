/** What a log is applied to. */
export interface Replica {
  /**
   * Applies a command. What it returns or throws is for the caller of `append` at this replica. After a SharedStateError it is applied again.
   * @param own whether that was this replica
   * @param isOld whether it was in the log before the state was last put back
   */
  apply(command: unknown, own: boolean, isOld: boolean): unknown;
  /** Told each time that the state is that of a position. */
  reached(position: string): void;
  /** Puts the state back to the position of the log that is returned: that of the snapshot, or the start, where there is none. */
  restore(): Promise<string | undefined>;
  /** Answers a question of another replica, once it is done. */
  answer(question: string): Promise<void>;
  /** Told when something went wrong, or right again. A whole sentence. */
  warn(sentence: string): void;
}
