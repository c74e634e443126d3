import { jsonIn, valueAt } from "../../base/text/json-object.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import { pathIn } from "../../sandbox/lists/envelope.js";
import type { List } from "../../sandbox/lists/list.js";
import { answerHeader } from "./answer.js";

/** A page as a client got it, whoever wrote it. */
export interface ReceivedPage {
  readonly rows: readonly unknown[];
  /** The cursor of the next page: of the body, of its header, or in a link. */
  readonly next: string | undefined;
}

/**
 * Reads the body and the headers of an answer as a page.
 * @returns undefined if it is not a page of the list
 */
export function receivedPage(
  body: string,
  exchange: Pick<Exchange, "answerHeaders">,
  { envelope, parameters }: Pick<List, "envelope" | "parameters">,
): ReceivedPage | undefined {
  const json = jsonIn(body);
  const member = (name: "items" | "nextLink" | "nextCursor") => {
    const path = pathIn(envelope.body, name);
    return path && valueAt(json, path);
  };
  const header = (name: string | undefined) => name && answerHeader(exchange, name.toLowerCase());
  const rows = member("items");
  if (!Array.isArray(rows)) return undefined;
  const link = member("nextLink") ?? nextLinkIn(header("link") ?? "");
  const next = member("nextCursor") ?? header(envelope.cursorHeader) ?? cursorIn(link, parameters.cursor);
  return { rows, next: typeof next === "string" && next !== "" ? next : undefined };
}

/** RFC 8288 §3: the link of the sandbox's own header, or of a scenario's. */
function nextLinkIn(header: string): string | undefined {
  return /<([^>]*)>[^,]*\brel="?next\b/.exec(header)?.[1];
}

function cursorIn(link: unknown, parameter: string): string | undefined {
  const anyHost = "https://localhost";
  if (typeof link !== "string" || !URL.canParse(link, anyHost)) return undefined;
  return new URL(link, anyHost).searchParams.get(parameter) ?? undefined;
}
