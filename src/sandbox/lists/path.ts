import { longestName, printable, quote } from "../../base/text/printable.js";

/** A segment of a path: literal text, or a parameter. */
export type PathSegment = string | { readonly parameter: string };

/**
 * Splits a path such as `/v1/accounts/{accountId}/payments`, in which `pathFault` finds no fault. A `/` at the end is an
 * empty segment.
 */
export function parsePath(path: string): readonly PathSegment[] {
  return path
    .slice(1)
    .split("/")
    .map((segment) => (segment.startsWith("{") ? { parameter: segment.slice(1, -1) } : segment));
}

/** The names of the parameters of such a path, in order. */
export function pathParametersOf(path: string): readonly string[] {
  return parsePath(path).flatMap((segment) => (typeof segment === "string" ? [] : segment.parameter));
}

/** What is wrong with a path, as the end of a sentence that begins with the path; `undefined` for a valid path. */
export function pathFault(path: string): string | undefined {
  if (!path.startsWith("/")) return "must begin with /";
  const segments = path.slice(1).split("/");
  const repeated = segments.find((segment, place) => segment.startsWith("{") && segments.indexOf(segment) !== place);
  const named = segments.length > 1 && segments.at(-1) === "" ? segments.slice(0, -1) : segments;
  return named.map(segmentFault).find(Boolean) ?? (repeated && `has ${repeated} twice`);
}

function segmentFault(segment: string): string | undefined {
  if (segment === "") return "has an empty segment";
  if (segment === "." || segment === "..") return "has a dot segment, which clients resolve";
  if (/^\{.*\}$/.test(segment)) {
    const valid = /^\{[A-Za-z][A-Za-z0-9_]*\}$/.test(segment);
    return valid
      ? undefined
      : `has ${printable(segment, longestName)}: a parameter's name has letters, digits and _, a letter first`;
  }
  // RFC 3986 §3.3 without percent-encoding: request targets are compared literally, and one text has several encodings.
  const valid = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/.test(segment);
  return valid ? undefined : `has ${quote(segment)}: it may have ASCII letters, digits and -._~!$&'()*+,;=:@`;
}
