/**
 * The row that is marked for a comparison. Scrolling adds and removes the elements of rows, so a style sheet of the
 * script marks the row by its key.
 */
export class Mark {
  readonly #sheet = new CSSStyleSheet();
  #key: string | undefined;

  constructor() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  /** Such as `r12`. */
  get key(): string | undefined {
    return this.#key;
  }

  set(key: string | undefined): void {
    this.#key = key;
    this.#sheet.replaceSync(key === undefined ? "" : `#${key} { box-shadow: inset 4px 0 var(--accent); }`);
  }
}
