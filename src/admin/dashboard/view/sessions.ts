import { upperFirst } from "../../../base/text/letters.js";
import { termText } from "../../../sandbox/journal/query.js";
import type { Exchange } from "./data.js";
import { exchangeOutcome } from "./entry.js";
import { clockTime, plural, took, visible } from "./format.js";
import { button, hash, icon, quietText, requestsHash } from "./parts.js";
import { callText, statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

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
  /** The sessions that are shown as a whole, by the id of their first request. */
  readonly whole: readonly string[];
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

export function sessionsPage({ exchanges, query, isLost, whole }: SessionsModel): Tree[] {
  const sessions = exchanges && sessionsOf(exchanges);
  return [
    h(
      "div",
      { class: "sessions-page" },
      h(
        "form",
        { class: "row-of-buttons", role: "search", "aria-label": "Filter the sessions", "data-submit": "sessions" },
        h("input", {
          type: "search",
          id: "sessions-query",
          name: "q",
          class: "grow",
          value: query,
          placeholder: "Filter: client:demo status:4xx …",
          "aria-label": "Filter by a query",
          autocomplete: "off",
          spellcheck: "false",
        }),
        h("button", { class: "button" }, "Filter"),
        button("refresh", "Refresh", { id: "sessions-refresh" }),
        h("a", { class: "button", href: requestsHash(query) }, "As a list"),
      ),
      h(
        "p",
        { class: "quiet", role: "status" },
        sessions === undefined
          ? isLost
            ? "The sandbox cannot be reached. The sessions are read when it is there again."
            : "The sessions are loading."
          : `${plural(exchanges?.length ?? 0, "request")}, the newest that match, in ${plural(sessions.length, "session")}. A session is what one client sent with one token.`,
      ),
      sessions?.slice(0, mostSessions).map((session) => sessionCard(session, whole)),
    ),
  ];
}

/** Start and end, in milliseconds since the epoch. */
type Span = readonly [start: number, end: number];

function spanOf(exchanges: readonly Exchange[]): Span {
  const starts = exchanges.map(({ receivedAt }) => Date.parse(receivedAt));
  const ends = exchanges.map(({ receivedAt, duration }) => Date.parse(receivedAt) + duration);
  return [Math.min(...starts), Math.max(...ends)];
}

function sessionCard({ client, token, walks }: Session, whole: readonly string[]): Tree {
  const all = walks.flatMap(({ exchanges }) => exchanges);
  const id = all[0]?.id ?? "";
  const shown = whole.includes(id) ? all : all.slice(-mostRows);
  const span = spanOf(shown);
  const kept = new Set(shown);
  const first = all[0]?.id;
  return h(
    "section",
    { class: "session", id: `session-${first}`, "aria-labelledby": `session-of-${first}` },
    h(
      "h2",
      { id: `session-of-${first}` },
      client === null ? "Unknown client" : h("a", { href: requestsHash(termText("client", client)) }, visible(client)),
      token === null
        ? h("small", {}, " without a token")
        : [h("small", {}, " token "), h("a", { href: requestsHash(termText("token", token)) }, visible(token))],
    ),
    quietText(
      `${plural(all.length, "request")} from ${clockTime(shown[0]?.receivedAt ?? null)}, in ${took(span[1] - span[0])}`,
      all.length > shown.length && [
        "; ",
        button("whole-session", `show the first ${all.length - shown.length}, too`, {
          class: "button quiet-button",
          "data-id": id,
        }),
      ],
    ),
    scale(span[1] - span[0]),
    h(
      "ol",
      {},
      walks.map(({ id, exchanges }) =>
        walkItem(
          id,
          exchanges.filter((exchange) => kept.has(exchange)),
          span,
        ),
      ),
    ),
  );
}

/** What the width of the bars means. */
function scale(length: number): Tree {
  return h(
    "p",
    { class: "scale", "aria-hidden": "true" },
    h("span"),
    h("span", { class: "axis" }, h("span", {}, "0"), h("span", {}, took(length / 2)), h("span", {}, took(length))),
    h("span"),
  );
}

function walkItem(id: string | null, exchanges: readonly Exchange[], span: Span): Child {
  if (exchanges.length === 0) return null;
  if (id === null || exchanges.length === 1) return exchanges.map((exchange) => bar(exchange, span));
  const name = `${exchanges[0]?.list ?? "list"}: a walk of ${plural(exchanges.length, "page")}`;
  return h(
    "li",
    { class: "walk" },
    h("p", {}, visible(name)),
    h(
      "ol",
      {},
      exchanges.map((exchange) => bar(exchange, span)),
    ),
  );
}

/** The width of the waterfall, in its own units, and the smallest visible bar. */
const width = 1000;
const least = 6;

function bar(exchange: Exchange, [start, end]: Span): Tree {
  const { id, method, target, status, duration, receivedAt, code } = exchange;
  const outcome = exchangeOutcome(exchange);
  const scale = width / Math.max(end - start, 1);
  const length = Math.max(duration * scale, least);
  const from = Math.min((Date.parse(receivedAt) - start) * scale, width - length);
  return h(
    "li",
    { class: `bar ${outcome}` },
    h(
      "a",
      { href: hash("requests", `r${id}`) },
      h(
        "span",
        { class: "status" },
        icon(outcome),
        h("span", { class: "sr-only" }, `${upperFirst(outcome)} `),
        statusText(status),
      ),
      h(
        "span",
        { class: "call" },
        callText(method, target),
        code !== null && h("b", { class: "why" }, ` ${visible(code)}`),
      ),
    ),
    h(
      "svg",
      { class: "waterfall", viewBox: `0 0 ${width} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
      h("path", { d: `M${Math.round(from)} 1h${Math.round(length)}v8h-${Math.round(length)}z` }),
    ),
    h("span", { class: "took" }, took(duration)),
  );
}
