import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { camelCase } from "../../base/text/letters.js";
import { pathFault } from "../../sandbox/lists/path.js";
import { plainName, singular, wordsOf } from "../words.js";

/** A path of the document, in the notation of the configuration. */
export interface ListPath {
  readonly path: string;
  /** Why the configuration cannot have it, as the end of a sentence that begins with the path. */
  readonly fault: string | undefined;
}

/**
 * Puts the path of the service's URL before a path of the document, and spells parameters as the configuration needs
 * them.
 * @param basePath the prefix that every path of the sandbox has
 */
export function listPath(template: string, servers: unknown, basePath: string): ListPath {
  const served = serverPath(servers);
  const prefix = `${served}/`.startsWith(`${basePath}/`) ? served.slice(basePath.length) : served;
  const path = `${prefix}${template}`.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => `{${parameterName(name)}}`);
  return { path, fault: pathFault(path) };
}

/** `payment-id` → paymentId. */
export function parameterName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return name;
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== "");
  return camelCase(words);
}

/** The path of the first server: `https://api.example.com/v2` → /v2. */
function serverPath(servers: unknown): string {
  const [server] = Array.isArray(servers) ? servers : [];
  if (!isObject(server) || typeof server["url"] !== "string") return "";
  const variables: JsonObject = isObject(server["variables"]) ? server["variables"] : {};
  const url = server["url"].replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable["default"] ?? "") : "";
  });
  if (!URL.canParse(url, "https://service.example")) return "";
  return new URL(url, "https://service.example").pathname.replace(/\/+$/, "");
}

/** Each parameter of a path, after the segment before it: `/accounts/{accountId}` → accounts, accountId. */
function placesOf(path: string): readonly (readonly [string, string])[] {
  return [...path.matchAll(/([^/{}]*)\/\{([^{}]*)\}/g)].map(([, before = "", name = ""]) => [before, name]);
}

/** The parameters that identify things of several kinds: `{code}` in `/plans/{code}` and `/coupons/{code}`. */
export function sharedParameters(paths: readonly string[]): ReadonlySet<string> {
  const kinds = new Map<string, Set<string>>();
  for (const [before, name] of paths.flatMap(placesOf)) kinds.set(name, (kinds.get(name) ?? new Set()).add(before));
  return new Set([...kinds.keys()].filter((name) => (kinds.get(name)?.size ?? 0) > 1));
}

/** The parameters of a path that name a parent of its rows: a shared one only if it repeats the segment before it. */
export function parentParameters(path: string, shared: ReadonlySet<string>): readonly string[] {
  const isParent = ([before, name]: readonly [string, string]) =>
    !shared.has(name) || (before !== "" && plainName(name).includes(singular(plainName(before))));
  return placesOf(path)
    .filter(isParent)
    .map(([, name]) => name);
}

/** The last segment of a path that is not a parameter. */
export function lastLiteral(path: string): string {
  return path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "";
}

/** Ends of paths that say nothing about what is listed. */
const generic = new Set(["list", "items", "info", "object", "current", "search", "all", "query", "history", "data"]);

/** A name for a list: the last segment of its path, and more segments if that name is taken. */
export function listName(path: string, operationId: unknown, isTaken: (name: string) => boolean): string {
  const segments = path
    .split("/")
    .filter((segment) => segment !== "" && !segment.startsWith("{") && !/^(v?\d+(\.\d+)*|api)$/.test(segment));
  const all = segments.map((_, index) => camel(segments.slice(segments.length - 1 - index).join(" ")));
  const candidates = all.length > 1 && generic.has(all[0] as string) ? all.slice(1) : all;
  if (typeof operationId === "string") candidates.push(camel(operationId));
  const base = candidates.find((name) => name !== "") ?? "list";
  const numbered = Array.from({ length: 1000 }, (_, index) => `${base.slice(0, 60)}${index + 2}`);
  return [...candidates, ...numbered].find((name) => name !== "" && !isTaken(name)) ?? base;
}

/** A name begins with a letter. */
function camel(text: string): string {
  const words = wordsOf(text);
  const first = words.findIndex((word) => /^[a-z]/.test(word));
  return first < 0 ? "" : camelCase(words.slice(first)).slice(0, 64);
}
