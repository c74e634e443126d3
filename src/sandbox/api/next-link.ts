import { parseQueryParameters } from "./parameters.js";
import { splitTarget } from "./path.js";

/**
 * What must be encoded in a path and a query (RFC 3986 §3.3 and §3.4), such as brackets, and a percent sign that
 * encodes nothing.
 */
const notInTarget = /[^!$-;=?-Z_a-z~]|%(?![0-9A-Fa-f]{2})/g;

/**
 * The target of a request for the next page: the same path and parameters, with another cursor. It is ASCII.
 * @param parameter name of the cursor's parameter
 * @param lost names of parameters that get lost
 */
export function nextPageTarget(
  target: string,
  parameter: string,
  cursor: string,
  lost: readonly string[] = [],
): string {
  const { path, query } = splitTarget(target);
  const left = [parameter, ...lost];
  const isLeft = (pair: string) => left.some((name) => parseQueryParameters(pair).has(name));
  const others = query.split("&").filter((pair) => pair !== "" && !isLeft(pair));
  const sent = `${path}?${others.map((pair) => `${pair}&`).join("")}`.replaceAll(notInTarget, encodeURIComponent);
  return `${sent}${encodeURIComponent(parameter)}=${encodeURIComponent(cursor)}`;
}
