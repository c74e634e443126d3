import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import type { Answer, ProbeRequest } from "./answer.js";
import { tokenPath } from "./known.js";

/** Most entries that are read. */
const mostEntries = 20_000;

/** Longest body that is read, in characters: the same limit as for a service that is probed. */
const longestBody = 4 * 1024 * 1024;

/** The file cannot be read as recorded traffic. The message ends a sentence about the file. */
export class HarError extends Error {
  override readonly name = "HarError";
}

/** A request that was recorded with its answer. */
export interface Recorded {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly answer: Answer;
}

/** Recorded traffic with one service. */
export interface Recording {
  readonly base: URL;
  readonly exchanges: readonly Recorded[];
}

/**
 * Reads an HTTP Archive (HAR 1.2).
 * @param base base URL of the service; by default the URL before the path of the token endpoint
 * @throws HarError when it is not an archive, or has no request to the service
 */
export function readHar(text: string, base: URL | undefined): Recording {
  const entries = entriesOf(text);
  const service = base ?? baseOf(entries);
  if (service === undefined)
    throw new HarError(`has no request to ${tokenPath}, so that --url is needed: the base URL of the service`);
  const exchanges = entries.flatMap((entry) => exchangeOf(entry, service) ?? []);
  if (exchanges.length === 0) throw new HarError(`has no request to ${service.host}`);
  return { base: service, exchanges };
}

function entriesOf(text: string): readonly JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HarError("is not JSON");
  }
  const log = isObject(value) ? value["log"] : undefined;
  const entries = isObject(log) ? log["entries"] : undefined;
  if (!Array.isArray(entries)) throw new HarError("is not an HTTP Archive: it has no log.entries");
  if (entries.length > mostEntries) throw new HarError(`has more than ${thousands(mostEntries)} entries; record fewer`);
  return entries.filter(isObject);
}

function baseOf(entries: readonly JsonObject[]): URL | undefined {
  for (const { request } of entries) {
    const url = urlOf(request);
    if (url?.pathname.endsWith(tokenPath) !== true) continue;
    const base = new URL(url);
    base.pathname = url.pathname.slice(0, -tokenPath.length);
    base.search = "";
    base.hash = "";
    return base;
  }
  return undefined;
}

function urlOf(request: unknown): URL | undefined {
  const url = isObject(request) ? request["url"] : undefined;
  return typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
}

function exchangeOf({ request, response }: JsonObject, base: URL): Recorded | undefined {
  const url = urlOf(request);
  const prefix = base.pathname.replace(/\/$/, "");
  if (!isObject(request) || !isObject(response) || url === undefined) return undefined;
  if (url.host !== base.host || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  const { method } = request;
  const { status } = response;
  // A recorder writes 0 if there was no answer.
  if (typeof method !== "string" || typeof status !== "number" || status < 100) return undefined;
  return {
    method: method.toUpperCase(),
    path: url.pathname.slice(prefix.length),
    query: url.searchParams,
    headers: headersOf(request).headers,
    body: bodyOf(request["postData"]),
    answer: { status, ...headersOf(response), text: contentOf(response["content"]) },
  };
}

function headersOf(message: JsonObject): Pick<Answer, "headers" | "names"> {
  const list = Array.isArray(message["headers"]) ? message["headers"].filter(isObject) : [];
  const pairs = list.flatMap(({ name, value }): [string, string][] =>
    typeof name === "string" && typeof value === "string" && !name.startsWith(":") ? [[name, value]] : [],
  );
  const headers = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return { headers, names: pairs.map(([name]) => name) };
}

/** The text of a body, or its fields if the recorder kept only these. */
function bodyOf(postData: unknown): string {
  if (!isObject(postData)) return "";
  if (typeof postData["text"] === "string" && postData["text"] !== "") return postData["text"].slice(0, longestBody);
  const fields = Array.isArray(postData["params"]) ? postData["params"].filter(isObject) : [];
  return new URLSearchParams(
    fields.map(({ name, value }): [string, string] => [String(name), String(value ?? "")]),
  ).toString();
}

function contentOf(content: unknown): string {
  if (!isObject(content) || typeof content["text"] !== "string" || content["text"].length > longestBody) return "";
  return content["encoding"] === "base64" ? Buffer.from(content["text"], "base64").toString() : content["text"];
}

/** A recorded request in the form of a probe. */
export function requestOf({ method, path, query, headers, body }: Recorded): ProbeRequest {
  const text = query.toString();
  return {
    method: method as ProbeRequest["method"],
    path: text === "" ? path : `${path}?${text}`,
    headers: Object.fromEntries(headers),
    body,
    identity: "client",
  };
}
