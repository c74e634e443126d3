import { useState } from "preact/hooks";
import { upperFirst } from "../../../../base/text/letters.js";
import { counted, thousands } from "../../../../base/text/numbers.js";
import { outcomes } from "../../../../sandbox/journal/outcome.js";
import { parseQuery, type QueryProblem } from "../../../../sandbox/journal/query.js";
import { addressOf, download } from "../api.js";
import { WhileRunning } from "../dashboard.js";
import { visible } from "../format.js";
import { Button, Icon, Menu } from "../parts.js";
import { QueryField, type QueryProps } from "./query-field.js";
import { type OutcomeChoice, outcomeIn } from "./query-text.js";

/** How many entries there are, by outcome. */
type Counts = Readonly<Record<OutcomeChoice, number>>;

const choices: readonly OutcomeChoice[] = ["all", ...outcomes];

interface ToolProps {
  /** What is exported. */
  readonly query: string;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
  /** The present entries are to be hidden, in this browser. */
  readonly onHide: () => void;
}

/** The search field with its completions, the outcomes with their numbers, and the actions on the whole list. */
export function SearchForm({
  query,
  counts,
  isPaused,
  onOutcome,
  onJudged,
  onPause,
  onHide,
  ...field
}: QueryProps &
  ToolProps & {
    readonly counts: Counts;
    readonly onOutcome: (outcome: OutcomeChoice) => void;
    /** The text in the field was judged. */
    readonly onJudged: (isWrong: boolean) => void;
  }) {
  /** The text whose problems are shown. */
  const [checked, setChecked] = useState(query);
  const { problems } = parseQuery(checked);
  const judge = (text: string) => {
    setChecked(text);
    onJudged(parseQuery(text).problems.length > 0);
  };
  return (
    <form
      class="toolbar"
      id="filter"
      role="search"
      aria-label="Find requests"
      onSubmit={(event) => event.preventDefault()}
    >
      <QueryField {...field} query={query} isWrong={problems.length > 0} check={judge}>
        <p id="query-problem" class="query-problem" hidden={problems.length === 0}>
          <QueryProblems text={checked} problems={problems} />
        </p>
      </QueryField>
      <div class="segments" role="group" aria-label="Outcome">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={choice}
            onClick={() => onOutcome(choice)}
            aria-pressed={choice === outcomeIn(query)}
          >
            {upperFirst(choice)} <span class="count">{thousands(counts[choice])}</span>
          </button>
        ))}
      </div>
      <ListTools query={query} isPaused={isPaused} onPause={onPause} onHide={onHide} />
    </form>
  );
}

function ListTools({ query, isPaused, onPause, onHide }: ToolProps) {
  const exportAs = (format: "har" | "ndjson") =>
    download(addressOf(`/journal/export?${new URLSearchParams({ format, ...(query !== "" && { q: query }) })}`));
  return (
    <span class="tools">
      <WhileRunning>
        <Button id="pause" onClick={() => onPause(!isPaused)} aria-pressed={isPaused}>
          <Icon name={isPaused ? "resume" : "pause"} />
          <span>{isPaused ? "Resume" : "Pause"}</span>
        </Button>
        <Button id="clear" onClick={onHide} title="Hide the present entries, in this browser">
          <Icon name="clear" />
          <span>Clear</span>
        </Button>
      </WhileRunning>
      <Menu
        summary={
          <>
            <Icon name="download" />
            <span>Export</span>
          </>
        }
      >
        <Button onClick={() => exportAs("har")}>What matches, as HAR</Button>
        <Button onClick={() => exportAs("ndjson")}>What matches, as NDJSON</Button>
      </Menu>
    </span>
  );
}

/** The problems of a query, each with its position. */
function QueryProblems({ text, problems }: { text: string; problems: readonly QueryProblem[] }) {
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

/**
 * `138 of 5,354 requests`.
 * @param kept how many entries the journal has
 */
export function shownCount(total: number, kept: number): string {
  const all = counted(kept, "request");
  return total === kept ? all : `${thousands(total)} of ${all}`;
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
