import type { ComponentChildren, VNode } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { counted, thousands } from "../../../base/text/numbers.js";
import { outcomes, type QueryProblem } from "../../../sandbox/journal/query.js";
import { useActions } from "./actions.js";
import { visible } from "./format.js";
import { Button, Icon } from "./parts.js";
import type { Completion, OutcomeChoice } from "./query-text.js";

/** How many entries there are, by outcome. */
export type Counts = Readonly<Record<OutcomeChoice, number>>;

const choices: readonly OutcomeChoice[] = ["all", ...outcomes];

/** The search field with its completions, the outcomes with their numbers, and the actions on the whole list. */
export function SearchForm(): VNode {
  return (
    <form class="toolbar" id="filter" role="search" aria-label="Find requests">
      <SearchTools outcome="all" counts={undefined} isPaused={false} />
    </form>
  );
}

/** The content of the form. */
export function SearchTools({
  outcome,
  counts,
  isPaused,
}: {
  /** The outcome that the query selects; undefined if it selects several. */
  readonly outcome: OutcomeChoice | undefined;
  /** Undefined until they are known. */
  readonly counts: Counts | undefined;
  readonly isPaused: boolean;
}): VNode {
  const { chooseOutcome, pause, hide, exportAs } = useActions();
  return (
    <>
      <div class="query-field">
        <input
          type="text"
          id="query"
          role="combobox"
          aria-label="Find requests: terms such as status:4xx or client:demo, or any text"
          aria-autocomplete="list"
          aria-expanded="false"
          aria-controls="query-options"
          aria-describedby="query-problem"
          placeholder="status:4xx client:demo -op:ping text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
        />
        <ul id="query-options" class="options" role="listbox" aria-label="Completions" hidden />
      </div>
      <div class="segments" role="group" aria-label="Outcome">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={choice}
            onClick={() => chooseOutcome(choice)}
            aria-pressed={choice === outcome}
          >
            {upperFirst(choice)} <span class="count">{counts && thousands(counts[choice])}</span>
          </button>
        ))}
      </div>
      <span class="tools">
        <Button id="pause" onClick={() => pause(!isPaused)} aria-pressed={isPaused}>
          <Icon name={isPaused ? "resume" : "pause"} />
          <span>{isPaused ? "Resume" : "Pause"}</span>
        </Button>
        <Button id="clear" onClick={hide} title="Hide the present entries, in this browser">
          <Icon name="clear" />
          <span>Clear</span>
        </Button>
        <details class="menu">
          <summary class="button">
            <Icon name="download" />
            <span>Export</span>
          </summary>
          <div>
            <Button onClick={() => exportAs("har")}>What matches, as HAR</Button>
            <Button onClick={() => exportAs("ndjson")}>What matches, as NDJSON</Button>
          </div>
        </details>
      </span>
      <p id="query-problem" class="query-problem" hidden />
    </>
  );
}

/** The problems of a query, each with its position. */
export function QueryProblems({
  text,
  problems,
}: {
  readonly text: string;
  readonly problems: readonly QueryProblem[];
}): ComponentChildren {
  return problems.slice(0, 3).map(({ at, length, message }) => (
    <>
      <code>
        {visible(beginning(text.slice(0, at)))}
        <mark>{visible(text.slice(at, at + length)) || " "}</mark>
        {visible(text.slice(at + length, at + length + 20))}
      </code>{" "}
      {visible(message)}
      <br />
    </>
  ));
}

/** The last characters of a text, which ends before a problem. */
function beginning(text: string): string {
  return text.length > 20 ? `…${text.slice(-20)}` : text;
}

/** @param active the index of the completion that Enter takes */
export function CompletionList({
  found,
  active,
}: {
  readonly found: readonly Completion[];
  readonly active: number;
}): ComponentChildren {
  return found.map(({ label, meaning }, index) => (
    <li key={`query-option-${index}`} id={`query-option-${index}`} role="option" aria-selected={index === active}>
      <code>{visible(label)}</code>
      {meaning !== "" && <small>{meaning}</small>}
    </li>
  ));
}

/**
 * `138 of 5,354`.
 * @param kept how many entries the journal has
 */
export function shownCount(total: number, kept: number): string {
  return total === kept ? `${thousands(kept)}` : `${thousands(total)} of ${thousands(kept)}`;
}

/**
 * `37 new, 2 refused`.
 * @param chosen the outcome that the query selects
 */
export function newCount(total: number, { refused, handshake }: Counts, chosen: OutcomeChoice | undefined): string {
  const parts = [`${thousands(total)} new`];
  if (chosen === "all" && refused > 0) parts.push(`${thousands(refused)} refused`);
  if (chosen === "all" && handshake > 0) parts.push(counted(handshake, "handshake"));
  return parts.join(", ");
}
