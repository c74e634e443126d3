import type { ComponentChildren } from "preact";
import { type MutableRef, useLayoutEffect, useRef, useState } from "preact/hooks";
import { parseQuery } from "../../../../sandbox/journal/query.js";
import type { QueryKey } from "../../../../sandbox/journal/query-keys.js";
import { visible } from "../format.js";
import { useLatest } from "../hooks.js";
import { type Completion, completions } from "./query-text.js";

/** How long after the last key a query is sent, in milliseconds: the journal is not searched for every letter. */
const typingTime = 200;

/** How long after the last key a mistake is told, in milliseconds: a term that is half typed is no mistake yet. */
const judgingTime = 1000;

export interface QueryProps {
  readonly query: string;
  /** The text field. */
  readonly field: MutableRef<HTMLInputElement | null>;
  /** Values of a key that are in the journal. */
  readonly seen: (key: QueryKey) => readonly string[];
  /**
   * Called with a query without problems.
   * @param isTyping whether the user may still be typing
   */
  readonly onQuery: (text: string, isTyping: boolean) => void;
  /** The user goes on to the results. */
  readonly onLeave: () => void;
}

interface FieldProps extends QueryProps {
  /** Whether the text that was checked has problems. */
  readonly isWrong: boolean;
  /** Receives a text whose problems are to be shown. */
  readonly check: (text: string) => void;
  readonly children: ComponentChildren;
}

/** The field of the query: a combobox (WAI-ARIA 1.2) that completes the term at the caret. */
export function QueryField({ query, field, isWrong, seen, check, children, ...on }: FieldProps) {
  const [text, setText] = useState(query);
  const [found, setFound] = useState<readonly Completion[]>([]);
  /** The index of the completion that Enter takes; -1 for none. */
  const [active, setActive] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const isOffering = useLatest(found.length > 0);
  const value = () => field.current?.value ?? "";
  // Another query, unless it equals the typed text.
  useLayoutEffect(() => {
    if (timer.current !== undefined || query.trim() === value().trim()) return;
    setText(query);
    check(query);
  }, [query]);
  const judging = useRef<ReturnType<typeof setTimeout>>();
  const read = (isTyping: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    clearTimeout(judging.current);
    const isGood = parseQuery(value()).problems.length === 0;
    if (isGood || !isTyping) check(value());
    if (isGood) on.onQuery(value().trim(), isTyping);
    // While completions are offered, the term can still become a good one.
    else if (isTyping) judging.current = setTimeout(() => !isOffering.current && check(value()), judgingTime);
  };
  const close = () => setFound([]);
  const open = () => {
    setFound(completions(value(), field.current?.selectionEnd ?? value().length, seen));
    setActive(-1);
  };
  const take = ({ label, text, caret }: Completion) => {
    setText(text);
    // The caret can only be placed in the new text.
    (field.current as HTMLInputElement).value = text;
    field.current?.setSelectionRange(caret, caret);
    // A key needs a value.
    if (label.endsWith(":")) return open();
    close();
    read(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOpen = found.length > 0;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const completion = found[active];
    if (event.key === "ArrowDown" && !isOpen && !event.altKey) on.onLeave();
    else if (step !== 0 && !isOpen) open();
    // The field itself comes before the first and after the last completion.
    else if (step !== 0) setActive(((active + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    else if (event.key === "Enter" && completion) take(completion);
    else if (event.key === "Enter") {
      close();
      read(false);
    } else if (event.key === "Escape" && isOpen) {
      // Otherwise this key would also close the details.
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };
  return (
    <div class="query-field">
      <input
        ref={field}
        type="text"
        id="query"
        class="mono"
        role="combobox"
        aria-label="Find requests: terms such as status:4xx or client:demo, or any text"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls="query-options"
        aria-activedescendant={found[active] && `query-option-${active}`}
        aria-describedby="query-problem"
        aria-invalid={isWrong}
        placeholder="Find a word, or status:4xx client:demo"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          open();
          // What was told of the text before no longer holds.
          if (isWrong) check("");
          clearTimeout(judging.current);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => read(true), typingTime);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={({ key }) => key === "Tab" && value() === "" && open()}
        onClick={() => value() === "" && open()}
        onBlur={() => {
          close();
          if (timer.current !== undefined || parseQuery(value()).problems.length > 0) read(false);
        }}
      />
      <CompletionList found={found} active={active} take={take} />
      {children}
    </div>
  );
}

function CompletionList({
  found,
  active,
  take,
}: {
  found: readonly Completion[];
  active: number;
  take: (completion: Completion) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active]);
  return (
    <ul
      ref={list}
      id="query-options"
      class="options floating"
      role="listbox"
      aria-label="Completions"
      hidden={found.length === 0}
      // It comes before the field loses the focus.
      onPointerDown={(event) => event.preventDefault()}
    >
      {found.map((completion, index) => (
        <li
          key={`query-option-${index}`}
          id={`query-option-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={() => take(completion)}
        >
          <code>{visible(completion.label)}</code>
          {completion.meaning !== "" && (
            <>
              <small>{completion.meaning.replaceAll("`", "")}</small>
              <code class="example">{completion.example}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
