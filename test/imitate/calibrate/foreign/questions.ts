import { HttpsClient, type HttpsRequest, type HttpsResponse } from "../../../support/https-client.js";
import type { Style } from "./styles.js";

// Asks a service and its imitation what a client may ask, and compares the answers. Nothing of calibrate is used here.

/** How to reach one of the two. */
export interface Side {
  readonly url: string;
  readonly ca: string;
  readonly clientId: string;
  readonly client: { readonly cert: string; readonly key: string };
  readonly other: { readonly cert: string; readonly key: string };
  /** The header in which it sends a correlation ID back. */
  readonly correlation: string;
}

/** What a client reads of an answer. */
type Read = Readonly<Record<string, unknown>>;

const tokenPath = "/oauth/v2/oauth-token";

/** The answers of one side, by the names of the questions. */
export async function answersOf(side: Side, { path, names, dates, most, next }: Style): Promise<Record<string, Read>> {
  const connect = (identity?: Side["client"]) =>
    new HttpsClient(side.url, { ca: side.ca, ...(identity && { identity }) });
  const by = { client: connect(side.client), other: connect(side.other), none: connect() };
  type Who = keyof typeof by;
  const answers: Record<string, Read> = {};
  const ask = async (says: string, target: string, request: HttpsRequest = {}, who: Who = "client") => {
    const response = await by[who].send(target, request);
    answers[says] = read(response, side, request);
    return response;
  };
  const form = (says: string, fields: Record<string, string | null> = {}, who: Who = "client") => {
    const all = { grant_type: "client_credentials", client_id: side.clientId, scope: "read", ...fields };
    const body = new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return ask(`token: ${says}`, tokenPath, { method: "POST", body: body.toString(), headers }, who);
  };
  const token = (await form("good")).json.access_token as string;
  await form("a secret", { client_secret: "x" });
  await form("another grant", { grant_type: "password" });
  await form("no grant", { grant_type: null });
  await form("no client", { client_id: null });
  await form("no scope", { scope: null });
  await form("an unknown client", { client_id: "nobody" });
  await form("an unknown scope", { scope: "nothing" });
  await form("no certificate", {}, "none");
  await form("another certificate", {}, "other");

  const headers = bearer(token);
  const id = "5b7e9d0c-2f4a-4c7e-9a53-0d1f6b7c8e21";
  const ping = (says: string, request: HttpsRequest = { headers }, query = "", who: Who = "client") =>
    ask(`ping: ${says}`, `/v1/ping${query}`, request, who);
  await ping("good");
  await ping("an error", { headers }, "?produceError=true");
  await ping("an unknown parameter", { headers }, "?unheard=1");
  await ping("no token", {});
  await ping("a wrong token", { headers: bearer("wrong") });
  await ping("another certificate", { headers }, "", "other");
  await ping("no certificate", { headers }, "", "none");
  await ping("a correlation ID", { headers: { ...headers, [side.correlation]: id } });
  await ask("an unknown path", "/v1/nowhere", { headers });

  const list = (
    says: string,
    query: Record<string, string> = {},
    request: HttpsRequest = { headers },
    who: Who = "client",
  ) => ask(`list: ${says}`, `${path}${suffix(query)}`, request, who);
  const first = await list("first page");
  await list("no token", {}, {});
  await list("a wrong token", {}, { headers: bearer("wrong") });
  await list("another certificate", {}, { headers }, "other");
  await list("an unknown parameter", { unheard: "1" });
  for (const size of ["1", "0", String(most), String(most + 1), "many"])
    await list(`size ${size}`, { [names.size]: size });
  await list("a wrong cursor", { [names.cursor]: "wrong" });
  await list("an empty cursor", { [names.cursor]: "" });
  const days = { past: "2020-01-01T00:00:00Z", future: "2990-01-01T00:00:00Z" };
  if (dates !== undefined) {
    await list("from the past", { [dates.from]: days.past });
    await list("from the future", { [dates.from]: days.future });
    await list("from no date", { [dates.from]: "yesterday" });
    await list("an end before the beginning", { [dates.from]: days.future, [dates.to]: days.past });
  }
  await list("a filter", { [names.filter]: "PAID" });
  const query = first.status === 200 ? next(first.json, 1) : undefined;
  if (query !== undefined) {
    await ask("list: next page", `${path}?${query}`, { headers });
    if (dates !== undefined)
      await ask("list: next page of another filter", `${path}?${query}&${dates.from}=${days.past}`, { headers });
  }
  answers["list: to the end"] = await walk(first);
  for (const each of Object.values(by)) each.close();
  return answers;

  /** The number of rows on each page. */
  async function walk(start: HttpsResponse): Promise<Read> {
    const pages: number[] = [];
    const seen = new Set<string>();
    for (let [page, number]: [HttpsResponse, number] = [start, 1]; number <= 6; number += 1) {
      const found = page.status === 200 ? rowsIn(page.json) : undefined;
      if (found === undefined) return { walk: "no pages" };
      pages.push(found.length);
      const text = JSON.stringify(found);
      if (seen.has(text)) return { walk: "the same page again" };
      seen.add(text);
      const query = next(page.json, number);
      if (query === undefined) break;
      page = await by.client.send(`${path}?${query}`, { headers });
    }
    return { walk: pages.join(" ") };
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function suffix(query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
}

/** The rows of a page: the first array of objects. */
function rowsIn(body: unknown): readonly object[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null) return undefined;
  for (const value of Object.values(body)) {
    const found = rowsIn(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function read({ status, headers, text }: HttpsResponse, { correlation }: Side, request: HttpsRequest): Read {
  const challenge = headers["www-authenticate"];
  const sent = (request.headers as Record<string, string> | undefined)?.[correlation];
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = text === "" ? undefined : "no JSON";
  }
  return {
    status,
    ...(text !== "" && { "media type": headers["content-type"]?.replace(/;.*/, "") }),
    ...(status >= 400 && { code: codeIn(body) }),
    body: body === undefined ? "none" : shapeOf(body),
    ...(challenge !== undefined && { "WWW-Authenticate": challenge.split(" ")[0] }),
    ...(sent !== undefined && { "correlation ID": headers[correlation.toLowerCase()] === sent }),
  };
}

/** The code of an error, wherever it is. */
function codeIn(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  const own = Object.entries(body).find(
    ([name, value]) => /^(error_?)?code$/i.test(name) && /[A-Za-z]/.test(String(value)),
  );
  return (
    own?.[1] ??
    Object.values(body)
      .map(codeIn)
      .find((code) => code !== undefined)
  );
}

/** Names and types; of a list those of its first member, because members may differ. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}

/** What differs, by the names of the questions. */
export function differing(one: Record<string, Read>, other: Record<string, Read>): Record<string, readonly string[]> {
  const found = Object.keys(one).map((question): [string, readonly string[]] => {
    const [a, b] = [one[question] ?? {}, other[question] ?? {}];
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    // Answers with different statuses have different bodies.
    const compared = a["status"] === b["status"] ? names : ["status"];
    return [question, compared.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))];
  });
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}
