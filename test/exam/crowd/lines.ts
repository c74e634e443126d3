import type { Drawn, Run } from "./crowd.js";
import type { Observed } from "./open-exchange.js";

const since = (time: number) => `${(time - 1000).toFixed(1)} ms`;

/** One line for each exchange, in the order in which they are over: what a person needs to judge a client. */
export function linesOf({ traits, weather }: Drawn, { observed, isFinished }: Run): string {
  const head = [JSON.stringify(traits), JSON.stringify(weather), isFinished ? "finished" : "not finished"];
  return [...head, ...observed.map(lineOf)].join("\n");
}

function lineOf(each: Observed): string {
  if ("handshake" in each) return `handshake ${each.handshake.id}: ${each.handshake.cause}`;
  const { exchange } = each;
  const { id, connection, stream, ordinal, arrivedAt, releasedAt, overAt, target, status, code } = exchange;
  const { ending, endedByClient, keptOpen, token, tokenRequest, thumbprint, retryAfter, http2Fault, page } = exchange;
  const parts = [
    `${id}: connection ${connection}${stream === undefined ? "" : `, stream ${stream}`}, request ${ordinal},`,
    `arrived ${since(arrivedAt)}, released ${since(releasedAt)}, over ${since(overAt)}:`,
    target,
    status,
    code,
    ending,
    endedByClient && "by the client",
    !keptOpen && "connection ends",
    http2Fault,
    retryAfter && `Retry-After ${retryAfter.wait} ms`,
    token && `with ${token}`,
    `over ${thumbprint}`,
    tokenRequest?.issued && `issued ${tokenRequest.issued.token}`,
    page?.next && `next ${page.next}`,
  ];
  return parts.filter((part) => part !== undefined && part !== false && part !== "").join(" ");
}
