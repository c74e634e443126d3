import { jsonObject, valueAt } from "../../base/text/json-object.js";
import { splitTarget } from "../../sandbox/api/path.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { AnsweredPage } from "../../sandbox/journal/exchange-facts.js";
import { pathIn } from "../../sandbox/lists/envelope.js";
import type { List } from "../../sandbox/lists/list.js";
import type { Parameters } from "../../sandbox/lists/problems.js";
import type { PageObservation } from "../observation.js";
import { hashOf } from "./hash.js";

/**
 * What the judges get of a list request, and of the page that answered it.
 * @param query of the request
 */
export function pageOf(exchange: Exchange, query: Parameters, list: List): PageObservation {
  const { listQuery, refusal } = exchange;
  const answered = pageGiven(exchange, list);
  const [sent] = query.get(list.parameters.cursor) ?? [];
  const problem = refusal?.reason.kind === "list" ? refusal.reason.problem : undefined;
  const isOld = problem?.code === "INVALID_CURSOR" && ["expired", "from-the-future"].includes(problem.detail.reason);
  return {
    cursor: sent === undefined || sent === null ? undefined : hashOf(sent),
    understood: listQuery !== undefined,
    rows: answered?.rows,
    next: answered?.cursor === undefined ? undefined : hashOf(answered.cursor),
    walk: walkOf(exchange, query, list),
    place: listQuery && `${listQuery.page} ${listQuery.position}`,
    aged: isOld ? list.cursorLifetime : undefined,
  };
}

/** The same for all pages of a walk: everything that a request with a cursor repeats. */
function walkOf({ target }: Exchange, query: Parameters, { parameters: { cursor, pageSize } }: List): string {
  const filters = [...query].filter(([name]) => name !== cursor && name !== pageSize);
  return hashOf(JSON.stringify([splitTarget(target).path, ...filters.sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/** The page that the client got: the sandbox's own, or what a scenario made of it. */
function pageGiven(exchange: Exchange, { envelope: { members }, parameters }: List): AnsweredPage | undefined {
  if (exchange.status < 200 || exchange.status > 299) return undefined;
  if (!exchange.isByScenario) return exchange.page;
  const body = jsonObject(exchange.wholeBody ?? "");
  const member = (name: "items" | "nextLink" | "nextCursor") => {
    const path = pathIn(members, name);
    return path && valueAt(body, path);
  };
  const rows = member("items");
  const cursor = member("nextCursor") ?? cursorInLink(member("nextLink"), parameters.cursor);
  if (!Array.isArray(rows)) return undefined;
  return { rows: rows.length, cursor: typeof cursor === "string" && cursor !== "" ? cursor : undefined };
}

function cursorInLink(link: unknown, parameter: string): string | undefined {
  const anyHost = "https://localhost";
  if (typeof link !== "string" || !URL.canParse(link, anyHost)) return undefined;
  return new URL(link, anyHost).searchParams.get(parameter) ?? undefined;
}
