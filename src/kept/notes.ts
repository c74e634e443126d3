/** What could not be read of a run, as sentences. One for each kind: a damaged file has many such lines. */
export class Notes {
  readonly #counts = new Map<string, { first: string; count: number }>();

  add(kind: string, first: string): void {
    const known = this.#counts.get(kind);
    if (known) known.count += 1;
    else this.#counts.set(kind, { first, count: 1 });
  }

  get sentences(): readonly string[] {
    return [...this.#counts].map(([kind, { first, count }]) =>
      count === 1 ? `${first} ${kind}.` : `${first} ${kind}, and ${count - 1} more.`,
    );
  }
}
