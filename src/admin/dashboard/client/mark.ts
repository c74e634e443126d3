/**
 * The row that is marked for a comparison. Rows come and go as the list is scrolled: a style sheet of the script's own marks it wherever
 * it is.
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
