import { render } from "preact";
import { type ParsedQuery, parseQuery, type QueryKey } from "../../../sandbox/journal/query.js";
import { type Completion, completions } from "../view/query-text.js";
import { CompletionList, QueryProblems } from "../view/search.js";
import { byId } from "./dom.js";

/** How long after the last key a query is sent, in milliseconds: the journal is not searched for every letter. */
const typingTime = 200;

/** Receives the input of the field. */
export interface SearchListener {
  /**
   * Called with a query without problems.
   * @param isTyping whether the user may still be typing
   */
  query(text: string, isTyping: boolean): void;
  /** Values that are in the journal. */
  seen(key: QueryKey): readonly string[];
  /** The user goes on to the results. */
  leave(): void;
}

/** The search field: a combobox (WAI-ARIA 1.2) that completes the term at the caret, and shows problems of a query. */
export class SearchField {
  readonly #input = byId<HTMLInputElement>("query");
  readonly #options = byId("query-options");
  readonly #problem = byId("query-problem");
  readonly #listener: SearchListener;
  #found: readonly Completion[] = [];
  /** The index of the chosen completion; -1 if none is chosen. */
  #active = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: SearchListener) {
    this.#listener = listener;
    const input = this.#input;
    input.addEventListener("input", () => {
      this.#open();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#read(true), typingTime);
    });
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("click", () => {
      if (input.value === "") this.#open();
    });
    input.addEventListener("blur", () => {
      this.#close();
      if (this.#timer !== undefined) this.#read(false);
    });
    // `pointerdown` comes before the field loses the focus.
    this.#options.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = (event.target as Element).closest("[role=option]");
      if (option) this.#take([...this.#options.children].indexOf(option));
    });
  }

  /** The current text. */
  get text(): string {
    return this.#input.value;
  }

  /** Shows another query. If it equals the typed text, the field does not change. */
  show(text: string): void {
    if (this.#input.value.trim() === text.trim()) return;
    this.#input.value = text;
    this.#showProblems(parseQuery(text));
  }

  focus(): void {
    this.#input.focus();
  }

  #read(isTyping: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parsed = parseQuery(this.text);
    this.#showProblems(parsed);
    if (parsed.problems.length === 0) this.#listener.query(this.text.trim(), isTyping);
  }

  #showProblems({ problems }: ParsedQuery): void {
    const isWrong = problems.length > 0;
    this.#input.setAttribute("aria-invalid", String(isWrong));
    this.#problem.hidden = !isWrong;
    render(<QueryProblems text={this.text} problems={problems} />, this.#problem);
  }

  #open(): void {
    const { selectionEnd, value } = this.#input;
    this.#found = completions(value, selectionEnd ?? value.length, (key) => this.#listener.seen(key));
    this.#active = -1;
    this.#showOptions();
  }

  #close(): void {
    this.#found = [];
    this.#showOptions();
  }

  get #isOpen(): boolean {
    return this.#found.length > 0;
  }

  #showOptions(): void {
    this.#input.setAttribute("aria-expanded", String(this.#isOpen));
    this.#options.hidden = !this.#isOpen;
    render(<CompletionList found={this.#found} active={this.#active} />, this.#options);
    const active = this.#options.children[this.#active];
    if (active) this.#input.setAttribute("aria-activedescendant", active.id);
    else this.#input.removeAttribute("aria-activedescendant");
    active?.scrollIntoView({ block: "nearest" });
  }

  #take(index: number): void {
    const completion = this.#found[index];
    if (!completion) return;
    this.#input.value = completion.text;
    this.#input.setSelectionRange(completion.caret, completion.caret);
    // A key needs a value.
    if (completion.label.endsWith(":")) this.#open();
    else {
      this.#close();
      this.#read(true);
    }
  }

  #move(step: number): void {
    if (!this.#isOpen) {
      this.#open();
      return;
    }
    const { length } = this.#found;
    // The field itself comes before the first and after the last completion.
    this.#active = ((this.#active + 1 + step + length + 1) % (length + 1)) - 1;
    this.#showOptions();
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "ArrowDown" && !this.#isOpen && !event.altKey) {
      event.preventDefault();
      this.#listener.leave();
    } else if (step !== 0) {
      event.preventDefault();
      this.#move(step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.#active >= 0) this.#take(this.#active);
      else {
        this.#close();
        this.#read(false);
      }
    } else if (event.key === "Escape" && this.#isOpen) {
      // Otherwise this key would also close the details.
      event.stopPropagation();
      this.#close();
    }
  }
}
