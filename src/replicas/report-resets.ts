import { randomUUID } from "node:crypto";

/**
 * Where the report on clients began again, as a part of the shared state: the judges of each replica forget what was
 * before, once Redis has it.
 */
export class ReportResets {
  /** By registration of a client, or an empty text for all: the name of the newest reset. */
  readonly #names = new Map<string, string>();
  /** The resets that the judges of this replica had. */
  readonly #done = new Map<string, string>();
  /** The clients, or all, whose reset may be another one now. */
  readonly #changed = new Set<string>();

  /** @param forget has the judges forget the client of a registration, or all */
  constructor(private readonly forget: (registration: string | undefined) => void) {}

  /** A call, which may be undone and made again, has the report on a client begin again, or that on all. */
  reset(registration = ""): void {
    this.put(registration, randomUUID());
  }

  nameOf(registration = ""): string | undefined {
    return this.#names.get(registration);
  }

  put(registration: string, name: string | undefined): void {
    if (name === undefined) this.#names.delete(registration);
    else this.#names.set(registration, name);
    this.#changed.add(registration);
  }

  /** Redis has what was put. */
  confirmed(): void {
    for (const registration of this.#changed) {
      const name = this.#names.get(registration);
      if (name === undefined || name === this.#done.get(registration)) continue;
      this.#done.set(registration, name);
      this.forget(registration || undefined);
    }
    this.#changed.clear();
  }
}
