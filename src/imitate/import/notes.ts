import { printable } from "../../base/text/printable.js";

/** What could not be imported, and where it is. */
export interface Note {
  /** `openapi.yaml:12:5 #/paths/~1transfers/get`, as far as it is known. */
  readonly place: string;
  readonly message: string;
}

/** Most notes that are kept; more are only counted. */
const mostNotes = 5000;

/** The list of what could not be imported: each point once. */
export class Notes {
  readonly #notes = new Map<string, Note>();
  /** How many notes were not kept. */
  dropped = 0;

  add(place: string, message: string): void {
    const key = `${place} ${message}`;
    if (this.#notes.has(key)) return;
    if (this.#notes.size >= mostNotes) this.dropped += 1;
    else this.#notes.set(key, { place: printable(place), message: printable(message) });
  }

  addAll(others: Notes): void {
    for (const { place, message } of others.all) this.add(place, message);
    this.dropped += others.dropped;
  }

  get all(): readonly Note[] {
    return [...this.#notes.values()];
  }
}
