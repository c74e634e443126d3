import { type PathSegment, parsePath, pathFault, pathParametersOf } from "../lists/path.js";

/** A path with parameters in braces: `/v1/accounts/{accountId}/payments`. */
export class PathTemplate {
  readonly #segments: readonly PathSegment[];
  readonly parameters: readonly string[];

  /** @throws {Error} when the template is not a path, or names a parameter twice */
  constructor(readonly text: string) {
    const fault = pathFault(text);
    if (fault !== undefined) throw new Error(`"${text}" is not a path: it ${fault}.`);
    this.#segments = parsePath(text);
    this.parameters = pathParametersOf(text);
  }

  /** The same in Hono's notation; undefined if a literal segment would be a parameter or a wildcard there. */
  get route(): string | undefined {
    if (this.#segments.some((segment) => typeof segment === "string" && /^:|\*/.test(segment))) return undefined;
    return this.#segments
      .map((segment) => `/${typeof segment === "string" ? segment : `:${segment.parameter}`}`)
      .join("");
  }

  /**
   * Negative if the other one has a parameter where this one has a literal segment, in the first place where they differ.
   */
  compare(other: PathTemplate): number {
    const kinds = (template: PathTemplate) =>
      template.#segments.map((segment) => (typeof segment === "string" ? "a" : "b")).join("");
    const [own, others] = [kinds(this), kinds(other)];
    return own < others ? -1 : own > others ? 1 : 0;
  }

  /**
   * Compares a raw path with the template, letter by letter: no decoding, no dot segments, no repair of slashes or
   * case. Only the value of a parameter is percent-decoded (RFC 3986 §2.1), so that one value may be spelt in several
   * ways. Hono matches after normalizing, so this is checked again for every request.
   * @returns the decoded parameters; undefined for another path
   */
  match(path: string): Readonly<Record<string, string>> | undefined {
    if (this.parameters.length === 0) return path === this.text ? noParameters : undefined;
    const sent = path.slice(1).split("/");
    if (path[0] !== "/" || sent.length !== this.#segments.length) return undefined;
    const values: Record<string, string> = {};
    for (const [index, segment] of this.#segments.entries()) {
      const text = sent[index] as string;
      if (typeof segment === "string") {
        if (text !== segment) return undefined;
        continue;
      }
      const value = decodeSegment(text);
      if (value === undefined) return undefined;
      values[segment.parameter] = value;
    }
    return values;
  }
}

const noParameters: Readonly<Record<string, string>> = Object.freeze({});

function decodeSegment(text: string): string | undefined {
  if (text === "" || text === "." || text === "..") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Splits a request target. The absolute form is read as its path (RFC 9112 §3.2.2).
 * @returns its parts as they were sent; the query is without the question mark, and empty when there is none
 */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  let text = target;
  if (text.charCodeAt(0) !== 47) {
    const authority = /^https?:\/\/[^/?#]*/i.exec(text);
    if (authority) text = text.slice(authority[0].length);
    if (text === "" || text.startsWith("?")) text = `/${text}`;
  }
  const question = text.indexOf("?");
  return question < 0 ? { path: text, query: "" } : { path: text.slice(0, question), query: text.slice(question + 1) };
}
