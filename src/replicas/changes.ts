import type { ChangeScope, StateFiles } from "../sandbox/store.js";
import type { Mark } from "./batch.js";

/** The state of this process that the records describe, each as a text; an empty one for what does not exist. */
export interface Recorded {
  /** The records that a change may change. */
  names(scope: ChangeScope): Iterable<string>;
  read(name: string): string;
  /** Whether the text says that something was removed. */
  isRemoved(name: string, text: string): boolean;
  /** What was done to the journal since the last call. */
  takeMarks(): readonly Mark[];
  /** Does what takes time before these texts can be put. */
  prepare(texts: ReadonlyMap<string, string>): Promise<void>;
  /** Makes the state what the texts say. */
  put(texts: ReadonlyMap<string, string>): void;
  /** Redis has what was put. */
  confirmed(): void;
  /** Redis may have other data now: returns to the start. */
  restart(): void;
  /** Called with a whole sentence when something failed, or works again. */
  warn(sentence: string): void;
}

export type CallResult = { readonly value: unknown } | { readonly error: unknown };

/** A call that changes the state. */
export interface Change {
  readonly scope: ChangeScope;
  readonly work: () => unknown;
  /** Files that are held, and written once Redis has the change. */
  readonly files: StateFiles | undefined;
  readonly done: (outcome: CallResult) => void;
}

/**
 * Does the work of calls, one after the other, and undoes it: nobody sees what is not written.
 * @returns the texts of the records that it has changed, what it did to the journal, and what the calls returned or
 *   threw. One that threw has changed nothing
 */
export function makeChanges(
  changes: readonly Change[],
  state: Recorded,
): {
  readonly texts: ReadonlyMap<string, string>;
  readonly marks: readonly Mark[];
  readonly outcomes: readonly CallResult[];
} {
  const before = new Map<string, string>();
  const marks: Mark[] = [];
  const outcomes = changes.map(({ scope, work }): CallResult => {
    const own = textsOf(state.names(scope), state);
    try {
      const value = work();
      for (const [name, text] of withMade(own, scope, state)) if (!before.has(name)) before.set(name, text);
      marks.push(...state.takeMarks());
      return { value };
    } catch (error) {
      undo(withMade(own, scope, state), state);
      state.takeMarks();
      return { error };
    }
  });
  return { texts: undo(before, state), marks, outcomes };
}

/** @returns the texts that differ from those that are put back */
function undo(before: ReadonlyMap<string, string>, state: Recorded): ReadonlyMap<string, string> {
  const texts = textsOf(before.keys(), state);
  for (const [name, text] of texts) if (text === before.get(name)) texts.delete(name);
  state.put(new Map([...texts.keys()].map((name) => [name, before.get(name) ?? ""])));
  return texts;
}

function textsOf(names: Iterable<string>, state: Recorded): Map<string, string> {
  return new Map([...names].map((name) => [name, state.read(name)]));
}

/** With the records that did not exist before. */
function withMade(texts: Map<string, string>, scope: ChangeScope, state: Recorded): Map<string, string> {
  for (const name of state.names(scope)) if (!texts.has(name)) texts.set(name, "");
  return texts;
}
