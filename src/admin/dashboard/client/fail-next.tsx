import { useState } from "preact/hooks";
import { type ExchangeDetail, get, orUndefined, pathOf, post, put, type ScenarioChoice } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { visible } from "./format.js";
import { useInterval, useLast, useRead } from "./hooks.js";
import { Button } from "./parts.js";

/** The rule's conditions: the requests like one of the journal. */
type When = { readonly operation: string | readonly string[]; readonly list?: string };

/** A way in which a request can fail. */
interface Failure {
  /** Of its rule. */
  readonly name: string;
  readonly text: string;
  /** The `then` of the rule, as in a scenario file. */
  readonly does: object;
  /** The operations for which it makes sense; undefined for all. */
  readonly operations?: readonly string[];
}

/**
 * What a client has to survive most often.
 * @internal exported for its test, which lets each of them act
 */
export const failures: readonly Failure[] = [
  { name: "fails-500", text: "500 INTERNAL_SERVER_ERROR", does: { error: "INTERNAL_SERVER_ERROR" } },
  {
    name: "fails-503",
    text: "503 SERVICE_UNAVAILABLE, retry after 1 s",
    does: { error: { code: "SERVICE_UNAVAILABLE", retryAfter: "1s" } },
  },
  {
    name: "fails-429",
    text: "429 TOO_MANY_REQUESTS, retry after 1 s",
    does: { error: { code: "TOO_MANY_REQUESTS", retryAfter: "1s" } },
  },
  {
    name: "fails-401",
    text: "401, the token is not valid",
    does: { error: "bearer.invalid-token" },
    operations: ["ping", "list"],
  },
  { name: "fails-403", text: "403 FORBIDDEN", does: { error: "FORBIDDEN" } },
  { name: "fails-slow", text: "an answer after 5 s", does: { delay: "5s" } },
  { name: "fails-hang", text: "no answer for 1 minute", does: { connection: { kind: "hang", duration: "1m" } } },
  { name: "fails-reset", text: "a reset connection", does: { connection: "reset" } },
  { name: "fails-half", text: "half an answer", does: { connection: "truncate" } },
];

/** How often a failure that has not happened yet is looked at, in milliseconds. */
const lookTime = 2000;

/**
 * Lets the next request of a client fail, once. What the client has stays below it.
 * @param like only a request with the operation of this one fails
 */
export function FailNext({ client, like }: { client: string; like?: Pick<ExchangeDetail, "operation" | "list"> }) {
  const { attempt, reload } = useDashboard();
  const [round, setRound] = useState(0);
  const path = pathOf("clients", client, "scenario");
  const { value } = useRead(async () => ({ choice: await orUndefined(get<ScenarioChoice>(path)) }), [path, round]);
  const choice = useLast(value, path)?.choice;
  const rule = choice?.below === undefined ? undefined : choice.rules[0];
  const isAwaited = rule !== undefined && rule.acted === 0;
  useInterval(() => setRound((count) => count + 1), isAwaited ? lookTime : undefined);
  const change = (action: () => unknown) =>
    attempt(async () => {
      await action();
      setRound((count) => count + 1);
      await reload();
    });
  // The client was removed.
  if (choice === undefined) return null;
  const offered = failures.filter(
    ({ operations }) => !like?.operation || (operations ?? [like.operation]).includes(like.operation),
  );
  const which = like?.operation ? `${like.operation}${like.list === null ? "" : ` of ${like.list}`}` : "request";
  const form = (
    <form
      class="bar fail-next"
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = offered.find(({ name }) => name === new FormData(event.currentTarget).get("failure"));
        if (chosen) void change(() => put(path, { onTop: true, ...scenarioOf(chosen, whenLike(like)) }));
      }}
    >
      <span aria-hidden="true">The next {visible(which)} gets</span>
      <select name="failure" aria-label={`What the next ${visible(which)} gets`}>
        {offered.map(({ name, text }) => (
          <option value={name}>{text}</option>
        ))}
      </select>
      <button type="submit" class="button">
        Fail it once
      </button>
      <span role="status" class={isAwaited ? "warn" : "quiet"}>
        {rule &&
          (isAwaited
            ? `Waiting for the request that ${happens(rule.name)}.`
            : `A request has failed: it ${happens(rule.name)}.`)}
      </span>
      {rule && (
        <Button class="button small" onClick={() => change(() => post(`${path}/undo`, undefined))}>
          {isAwaited ? "Undo" : "Done"}
        </Button>
      )}
    </form>
  );
  if (!like) return form;
  return (
    <details class="fail-like" open={rule !== undefined}>
      <summary>Fail the next one</summary>
      {form}
    </details>
  );
}

/** What happens to a request by a rule. It may be one that somebody else has put on top. */
function happens(rule: string): string {
  const known = failures.find(({ name }) => name === rule);
  return known ? `gets ${known.text}` : `meets the rule ${visible(rule)}`;
}

function whenLike(like: Pick<ExchangeDetail, "operation" | "list"> | undefined): When | undefined {
  if (!like?.operation) return undefined;
  return { operation: like.operation, ...(like.list !== null && { list: like.list }) };
}

/**
 * The scenario of one rule that lets one request fail.
 * @internal exported for its test, which reads it as a file
 * @param when undefined for every request that can sensibly fail so
 */
export function scenarioOf({ name, text, does, operations }: Failure, when: When | undefined): object {
  const then = "then";
  const conditions = when ?? (operations && { operation: operations });
  const rule = { name, ...(conditions && { when: conditions }), limit: 1, [then]: does };
  return { description: `Lets one request fail: ${text}.`, rules: [rule] };
}
