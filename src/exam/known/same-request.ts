import { hash } from "node:crypto";
import type { ExchangeObservation } from "../observation.js";

/** A longer text is kept as its hash. */
const longest = 256;

type Sent = Pick<ExchangeObservation, "method" | "target">;

/** One text for all requests that ask for the same, whatever their headers and bodies. */
export function requestOf({ method, target }: Sent): string {
  return bounded(`${method} ${sameTarget(target)}`);
}

/**
 * The same, but a request under another scenario is a different request. A body may not have been read; bodies that
 * were read are compared by their hashes.
 */
export function attemptKey({ method, target, scenario = "" }: ExchangeObservation): string {
  return bounded(`${method} ${sameTarget(target)} ${scenario}`);
}

/**
 * One text for all targets that ask for the same: libraries write the query again for a repetition, in another
 * order, with other escapes, or without the `?` of an empty one.
 */
function sameTarget(target: string): string {
  const query = target.indexOf("?");
  if (query < 0) return target;
  const parameters = new URLSearchParams(target.slice(query + 1));
  parameters.sort();
  return parameters.size === 0 ? target.slice(0, query) : `${target.slice(0, query)}?${parameters}`;
}

/** The path of a request, of bounded length. */
export function pathOf({ target }: Pick<ExchangeObservation, "target">): string {
  const query = target.indexOf("?");
  return (query < 0 ? target : target.slice(0, query)).slice(0, longest);
}

function bounded(text: string): string {
  return text.length > longest ? hash("sha256", text, "base64url") : text;
}
