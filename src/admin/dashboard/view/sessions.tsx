import { useRef } from "preact/hooks";
import { upperFirst } from "../../../base/text/letters.js";
import { termText } from "../../../sandbox/journal/query.js";
import { useActions } from "./actions.js";
import type { Exchange } from "./data.js";
import { exchangeOutcome } from "./entry.js";
import { clockTime, plural, took, visible } from "./format.js";
import { useKept } from "./kept.js";
import { Button, contentOf, hash, Icon, Quiet, requestsHash } from "./parts.js";
import { CallText, statusText } from "./request-row.js";

/** Requests of one client with one token. */
interface Session {
  /** Null for requests of an unknown client. */
  readonly client: string | null;
  /** The id of the token; null for requests without one. */
  readonly token: string | null;
  /** In the order of their first requests. */
  readonly walks: readonly Walk[];
}

/** The pages of one walk through a list; or one request that is not part of a walk. */
interface Walk {
  readonly id: string | null;
  /** Oldest first. */
  readonly exchanges: readonly Exchange[];
}

export interface SessionsModel {
  /** Newest first; undefined until they are known. */
  readonly exchanges: readonly Exchange[] | undefined;
  readonly query: string;
  /** Whether the sandbox cannot be reached. */
  readonly isLost: boolean;
}

/**
 * Groups requests by client, token and walk; the session that was last active comes first.
 * @internal exported for its test
 */
export function sessionsOf(exchanges: readonly Exchange[]): Session[] {
  const sessions = new Map<string, Exchange[]>();
  for (const [index, exchange] of exchanges.entries()) {
    const key = JSON.stringify([clientOf(exchange), tokenOf(exchange, index, exchanges)]);
    const known = sessions.get(key);
    if (known) known.push(exchange);
    else sessions.set(key, [exchange]);
  }
  return [...sessions.values()].map((members) => {
    const walks = new Map<string, Exchange[]>();
    for (const exchange of [...members].reverse()) {
      const key = exchange.walk ?? `alone ${exchange.id}`;
      const known = walks.get(key);
      if (known) known.push(exchange);
      else walks.set(key, [exchange]);
    }
    const [first] = members as [Exchange];
    const token = members.find(({ tokenId }) => tokenId !== null)?.tokenId ?? null;
    const grouped = [...walks.values()].map((pages) => ({ id: pages[0]?.walk ?? null, exchanges: pages }));
    return { client: clientOf(first), token, walks: grouped };
  });
}

/**
 * The token of a request. A fault that acts before the token is read, such as one that never answers, belongs to the
 * session that the client had then.
 */
function tokenOf(exchange: Exchange, index: number, newestFirst: readonly Exchange[]): string | null {
  const { tokenId, fault, operation } = exchange;
  if (tokenId !== null || fault === null || operation === "token") return tokenId;
  const isSame = (other: Exchange) => other.tokenId !== null && clientOf(other) === clientOf(exchange);
  return (newestFirst.slice(index).find(isSame) ?? newestFirst.slice(0, index).findLast(isSame))?.tokenId ?? null;
}

function clientOf({ client, claimedClient }: Exchange): string | null {
  return client ?? claimedClient;
}

/** How many sessions are shown, and how many requests of one. */
const mostSessions = 40;
const mostRows = 60;

export function SessionsPage({ exchanges, query, isLost }: SessionsModel) {
  const { filterSessions, refresh } = useActions();
  const sessions = exchanges && sessionsOf(exchanges);
  return (
    <div class="sheet">
      <form
        class="row-of-buttons"
        role="search"
        aria-label="Filter the sessions"
        onSubmit={(event) => filterSessions(String(contentOf(event).get("q")).trim())}
      >
        <input
          type="search"
          id="sessions-query"
          name="q"
          class="grow"
          defaultValue={query}
          placeholder="Filter: client:demo status:4xx …"
          aria-label="Filter by a query"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="button">
          Filter
        </button>
        <Button id="sessions-refresh" onClick={refresh}>
          Refresh
        </Button>
        <a class="button" href={requestsHash(query)}>
          As a list
        </a>
      </form>
      <p class="quiet" role="status">
        {sessions === undefined
          ? isLost
            ? "The sandbox cannot be reached. The sessions are read when it is there again."
            : "The sessions are loading."
          : `${plural(exchanges?.length ?? 0, "request")}, the newest that match, in ${plural(sessions.length, "session")}. A session is what one client sent with one token.`}
      </p>
      {sessions?.slice(0, mostSessions).map((session) => (
        <SessionCard key={session.walks[0]?.exchanges[0]?.id} session={session} />
      ))}
    </div>
  );
}

/** Start and end, in milliseconds since the epoch. */
type Span = readonly [start: number, end: number];

function spanOf(exchanges: readonly Exchange[]): Span {
  const starts = exchanges.map(({ receivedAt }) => Date.parse(receivedAt));
  const ends = exchanges.map(({ receivedAt, duration }) => Date.parse(receivedAt) + duration);
  return [Math.min(...starts), Math.max(...ends)];
}

function SessionCard({ session: { client, token, walks } }: { readonly session: Session }) {
  const all = walks.flatMap(({ exchanges }) => exchanges);
  const first = all[0]?.id;
  // After a restart of the sandbox, another request has the same number.
  const [isWhole, setWhole] = useKept<boolean>(`session ${first} ${all[0]?.receivedAt}`, false);
  const card = useRef<HTMLElement>(null);
  const shown = isWhole ? all : all.slice(-mostRows);
  const span = spanOf(shown);
  const kept = new Set(shown);
  return (
    <section ref={card} tabindex={-1} class="session" id={`session-${first}`} aria-labelledby={`session-of-${first}`}>
      <h2 id={`session-of-${first}`}>
        {client === null ? "Unknown client" : <a href={requestsHash(termText("client", client))}>{visible(client)}</a>}
        {token === null ? (
          <small> without a token</small>
        ) : (
          <>
            <small> token </small>
            <a href={requestsHash(termText("token", token))}>{visible(token)}</a>
          </>
        )}
      </h2>
      <Quiet>
        {plural(all.length, "request")} from {clockTime(shown[0]?.receivedAt ?? null)}, in {took(span[1] - span[0])}
        {all.length > shown.length && (
          <>
            ;{" "}
            <Button
              class="button quiet-button"
              onClick={() => {
                setWhole(true);
                // The button disappears.
                card.current?.focus();
              }}
            >
              show the first {all.length - shown.length}, too
            </Button>
          </>
        )}
      </Quiet>
      <Scale length={span[1] - span[0]} />
      <ol>
        {walks.map(({ id, exchanges }) => (
          <WalkItem id={id} exchanges={exchanges.filter((exchange) => kept.has(exchange))} span={span} />
        ))}
      </ol>
    </section>
  );
}

/** What the width of the bars means. */
function Scale({ length }: { length: number }) {
  return (
    <p class="scale" aria-hidden="true">
      <span />
      <span class="axis">
        <span>0</span>
        <span>{took(length / 2)}</span>
        <span>{took(length)}</span>
      </span>
      <span />
    </p>
  );
}

function WalkItem({ id, exchanges, span }: { id: string | null; exchanges: readonly Exchange[]; span: Span }) {
  if (exchanges.length === 0) return null;
  if (id === null || exchanges.length === 1)
    return exchanges.map((exchange) => <Bar exchange={exchange} span={span} />);
  const name = `${exchanges[0]?.list ?? "list"}: a walk of ${plural(exchanges.length, "page")}`;
  return (
    <li class="walk">
      <p>{visible(name)}</p>
      <ol>
        {exchanges.map((exchange) => (
          <Bar exchange={exchange} span={span} />
        ))}
      </ol>
    </li>
  );
}

/** The width of the waterfall, in its own units, and the smallest visible bar. */
const width = 1000;
const least = 6;

function Bar({ exchange, span: [start, end] }: { exchange: Exchange; span: Span }) {
  const { id, method, target, status, duration, receivedAt, code } = exchange;
  const outcome = exchangeOutcome(exchange);
  const scale = width / Math.max(end - start, 1);
  const length = Math.max(duration * scale, least);
  const from = Math.min((Date.parse(receivedAt) - start) * scale, width - length);
  return (
    <li class={`bar ${outcome}`}>
      <a href={hash("requests", `r${id}`)}>
        <span class="status">
          <Icon name={outcome} />
          <span class="sr-only">{upperFirst(outcome)} </span>
          {statusText(status)}
        </span>
        <span class="call">
          <CallText method={method} target={target} />
          {code !== null && <b class="why"> {visible(code)}</b>}
        </span>
      </a>
      <svg class="waterfall" viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M${Math.round(from)} 1h${Math.round(length)}v8h-${Math.round(length)}z`} />
      </svg>
      <span class="took">{took(duration)}</span>
    </li>
  );
}
