import type { ClientHandle, StartOptions } from "../../../src/index.js";
import { HttpsClient, type HttpsRequest, type HttpsResponse } from "../../support/https-client.js";

/** The compared parts of an answer. Texts for people, and the rows themselves, may differ. */
export interface Seen {
  readonly status?: number | string;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly shape?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

type List = NonNullable<StartOptions["lists"]>[string];

interface Question extends HttpsRequest {
  readonly says: string;
  readonly path: string;
  readonly as?: "client" | "other" | "none";
  /** `null` for none. */
  readonly token?: string | null;
  readonly correlation?: string | null;
}

const uuid = "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55";

const correlationIds = [
  uuid,
  uuid.replaceAll("-", ""),
  "calibrate1",
  "cal-ib_ra.te",
  "calibrate0".repeat(6),
  "calibrate0".repeat(20),
  "a b/c:d",
];

/** The answers of a sandbox to a corpus of requests, by the names of the requests. */
export async function answersOf(
  client: ClientHandle,
  other: ClientHandle,
  { assumptions = {}, lists = {} }: StartOptions,
): Promise<Record<string, Seen>> {
  const connect = (handle?: ClientHandle) =>
    new HttpsClient(client.url, {
      ca: client.ca,
      ...(handle && { identity: { cert: handle.certificate, key: handle.key } }),
    });
  const by = { client: connect(client), other: connect(other), none: connect() };
  const base = new URL(client.url).pathname.replace(/\/$/, "");
  const header = assumptions["correlation.header"] as string;
  const send = async ({ path, as = "client", token, correlation = uuid, headers, ...rest }: Question) => {
    const all = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(correlation !== null && { [header]: correlation }),
      ...headers,
    };
    return by[as].send(base + path, { ...rest, headers: all });
  };
  const issued = async (scope: string) => (await send(tokenForm(client, "", { scope }))).json.access_token as string;
  const tokens = { token: await issued("read"), small: await issued("small") };
  const questions = [...tokenQuestions(client), ...accessQuestions(tokens), ...plainQuestions(tokens.token)];
  for (const [name, list] of Object.entries(lists)) {
    const first = await send({ says: "", path: pathOf(list), token: tokens.token });
    questions.push(...listQuestions(name, list, tokens, cursorIn(list, first)));
  }
  const answers: Record<string, Seen> = {};
  for (const question of questions) {
    if (Object.hasOwn(answers, question.says)) throw new Error(`Two questions are ${question.says}.`);
    answers[question.says] = await send(question).then(seen, (error: Error) => ({ status: failureOf(error) }));
  }
  for (const each of Object.values(by)) each.close();
  return answers;
}

function tokenForm(
  { clientId }: ClientHandle,
  says: string,
  fields: Readonly<Record<string, string | null>>,
  more: Omit<Partial<Question>, "says"> = {},
): Question {
  const all = { grant_type: "client_credentials", client_id: clientId, scope: "read", ...fields };
  const body = new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null));
  return {
    says: `token: ${says}`,
    path: "/oauth/v2/oauth-token",
    method: "POST",
    token: null,
    body: body.toString(),
    ...more,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...more.headers },
  };
}

function tokenQuestions(client: ClientHandle): readonly Question[] {
  const form = (says: string, fields: Readonly<Record<string, string | null>> = {}, more: object = {}) =>
    tokenForm(client, says, fields, more);
  const good = form("").body as string;
  return [
    form("good"),
    form("unknown client", { client_id: "nobody" }),
    form("other certificate", {}, { as: "other" }),
    form("no certificate", {}, { as: "none" }),
    form("no fields", { grant_type: null, client_id: null, scope: null }),
    form("no body", {}, { body: "" }),
    form("no client", { client_id: null }),
    form("no grant", { grant_type: null }),
    form("no scope", { scope: null }),
    form("empty client", { client_id: "" }),
    form("empty grant", { grant_type: "" }),
    form("empty scope", { scope: "" }),
    form("secret", { client_secret: "x" }),
    form("assertion", { client_assertion: "x", client_assertion_type: "y" }),
    form("grant", { grant_type: "password" }),
    form("code grant", { grant_type: "authorization_code", code: "x" }),
    form("scope", { scope: "write" }),
    form("two scopes", { scope: "read small" }),
    form("two scopes, one unknown", { scope: "read write" }),
    form("small scope", { scope: "small" }),
    form("odd scope", { scope: 'a"b' }),
    form("unknown field", { audience: "x" }),
    form("client twice", {}, { body: `${good}&client_id=x` }),
    form("grant twice", {}, { body: `${good}&grant_type=client_credentials` }),
    form("scope twice", {}, { body: `${good}&scope=read` }),
    form("bad encoding", {}, { body: `${good}&x=%zz` }),
    form("text", {}, { headers: { "Content-Type": "text/plain" } }),
    form("JSON", {}, { body: "{}", headers: { "Content-Type": "application/json" } }),
    form("charset", {}, { headers: { "Content-Type": "application/x-www-form-urlencoded; charset=latin1" } }),
    form("good charset", {}, { headers: { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" } }),
    form("encoding", {}, { headers: { "Content-Encoding": "gzip" } }),
    form("Basic", {}, { headers: { Authorization: "Basic eDp5" } }),
    form("query", {}, { path: "/oauth/v2/oauth-token?a=1" }),
    form("parameter in the URL", {}, { path: "/oauth/v2/oauth-token?scope=read" }),
    form("large", { x: "x".repeat(80_000) }),
    form("no correlation", {}, { correlation: null }),
    form("unknown client, no correlation", { client_id: "nobody" }, { correlation: null }),
    form("unknown client, other grant", { client_id: "nobody", grant_type: "password" }),
    form("unknown client, other scope", { client_id: "nobody", scope: "write" }),
    form("other grant, other scope", { grant_type: "password", scope: "write" }),
    ...correlationIds.map((text) => form(`correlation ${text}`, {}, { correlation: text })),
    ...["GET", "PUT", "DELETE", "OPTIONS", "HEAD"].map((method) => ({
      says: `${method} token`,
      path: "/oauth/v2/oauth-token",
      method,
    })),
  ];
}

interface Tokens {
  readonly token: string;
  readonly small: string;
}

function accessQuestions({ token, small }: Tokens): readonly Question[] {
  const path = "/v1/ping";
  const authorizations = [
    "Basic eDp5",
    "Bearer",
    "Bearer x",
    "Digest x",
    "Bearer a b",
    "bearer x",
    "Bearer ",
    "x",
    "DPoP x",
  ];
  const altered = `${token.slice(0, 20)}${token[20] === "A" ? "B" : "A"}${token.slice(21)}`;
  return [
    ...authorizations.map((text) => ({
      says: `ping: ${JSON.stringify(text)}`,
      path,
      headers: { Authorization: text },
    })),
    { says: "ping: lower case", path, headers: { Authorization: `bearer ${token}` } },
    { says: "ping: altered", path, token: altered },
    { says: "ping: cut", path, token: token.slice(0, -3) },
    { says: "ping: none", path, token: null },
    { says: "ping: small", path, token: small },
    { says: "ping: small, bad parameter", path: `${path}?produceError=x`, token: small },
    { says: "ping: no certificate", path, token, as: "none" },
    { says: "ping: no certificate, no token", path, as: "none" },
    { says: "ping: other certificate", path, token, as: "other" },
    { says: "ping: other certificate, no token", path, as: "other" },
    { says: "ping: no token, bad parameter", path: `${path}?produceError=x`, token: null },
    { says: "ping: token only in the URL", path: `${path}?access_token=x`, token: null },
    { says: "nowhere: none", path: "/v1/nowhere", token: null },
    { says: "nowhere: small", path: "/v1/nowhere", token: small },
    { says: "nowhere: no certificate", path: "/v1/nowhere", token, as: "none" },
  ];
}

function plainQuestions(token: string): readonly Question[] {
  const path = "/v1/ping";
  const queries = ["", "?a=1", "?produceError=true", "?produceError=false", "?produceError=x", "?access_token=x"];
  const twice = [
    "?produceError=true&produceError=true",
    "?produceError=false&a=1",
    "?produceError=",
    "?produceError",
    "?%zz=1",
  ];
  return [
    ...[...queries, ...twice].map((query) => ({ says: `ping${query}`, path: path + query, token })),
    { says: "ping: long header", path, token, headers: { "X-Long": "x".repeat(20_000) } },
    { says: "ping: expect", path, token, headers: { Expect: "tea" } },
    { says: "ping: accept", path, token, headers: { Accept: "text/html" } },
    ...["/v1", "/v1/ping/", "/V1/ping", "/v1/%70ing", "//v1/ping", "/v1/ping/more", "/oauth/v2", "/"].map((each) => ({
      says: `path ${each}`,
      path: each,
      token,
    })),
    ...["GET", "POST", "OPTIONS", "HEAD", "DELETE", "PUT", "PATCH"].flatMap((method) => [
      { says: `${method} ping`, path, token, method },
      { says: `${method} nowhere`, path: "/v1/nowhere", token, method },
      { says: `${method} ping, no token`, path, token: null, method },
    ]),
    ...correlationIds.flatMap((text) => [
      { says: `ping: correlation ${text}`, path, token, correlation: text },
      { says: `nowhere: correlation ${text}`, path: "/v1/nowhere", token, correlation: text },
    ]),
    { says: "ping: no correlation", path, token, correlation: null },
    { says: "ping: no correlation, no token", path, correlation: null },
    { says: "ping: empty correlation", path, token, correlation: "" },
    { says: "nowhere: no correlation", path: "/v1/nowhere", token, correlation: null },
  ];
}

const sizes = "0 1 2 3 5 49 50 51 99 100 101 137 138 200 201 250 251 1000 1001 x -1 010 1.0 1e1".split(" ");
const dates = [
  "1990-05-01T00:00:00Z",
  "1990-05-01",
  "1990-05-01T00:00:00",
  "1990-05-01T00:00:00+02:00",
  "1990-05-01T00:00:00.123Z",
  "1990-13-01",
  "641520000",
  "yesterday",
  "",
  "2999-01-01T00:00:00Z",
];

function listQuestions(
  name: string,
  list: List,
  { token, small }: Tokens,
  next: string | undefined,
): readonly Question[] {
  const path = pathOf(list);
  const { cursor = "" } = list.parameters ?? {};
  // A parameter that a list does not have is sent by the name of the interface.
  const { pageSize: size, fromCreatedAt: from, toCreatedAt: to } = { ...interfaceNames, ...namesOf(list.parameters) };
  const page = (...query: readonly (readonly [string, string])[]): Question => ({
    says: `${name} ${JSON.stringify(query)}`.replaceAll(next || "\0", "NEXT"),
    path: `${path}?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`,
    token,
  });
  // An empty text is the way of some services to say that there is none.
  const following = next ? [next] : [];
  return [
    page(),
    { says: `${name}: no token`, path, token: null },
    { says: `${name}: small`, path, token: small },
    { says: `${name}: other certificate`, path, token, as: "other" },
    { says: `${name}: no correlation`, path, token, correlation: null },
    { says: `${name}: bad correlation`, path, token, correlation: "?" },
    ...["HEAD", "POST", "OPTIONS", "DELETE"].map((method) => ({ says: `${method} ${name}`, path, token, method })),
    { says: `${name}: a row`, path: `${path}/x`, token },
    ...sizes.map((text) => page([size, text])),
    page([size, "5"], [size, "5"]),
    ...dates.flatMap((text) => [page([from, text]), page([to, text]), page([from, text], [size, "5"])]),
    page([from, "2026-05-02T00:00:00Z"], [to, "2026-05-01T00:00:00Z"]),
    page([from, "2026-05-02"], [to, "2026-05-01"]),
    page(["status", "PAID"]),
    page(["status", "nothing"]),
    page(["paid", "true"]),
    page(["paid", "maybe"]),
    page(["unheard", "1"]),
    page(["unheard", "1"], [size, "x"]),
    page([cursor, "x"]),
    page([cursor, ""]),
    page([cursor, "x"], [size, "x"]),
    ...following.flatMap((text) => [
      page([cursor, text]),
      page([cursor, text], [size, "4"]),
      page([cursor, text], [cursor, text]),
      page([cursor, text], ["unheard", "1"]),
      page([cursor, text], [from, "2026-05-01T00:00:00Z"]),
      page([cursor, text], [from, "2026-05-01"]),
    ]),
  ];
}

function pathOf({ path = "" }: List): string {
  return path.replace("{accountId}", "acc-1");
}

function cursorIn({ envelope, parameters }: List, { json }: HttpsResponse): string | undefined {
  const path = envelope?.nextLink ?? envelope?.nextCursor ?? "";
  const found: string | undefined = path.split(".").reduce((value, name) => value?.[name], json) ?? undefined;
  if (found === undefined || envelope?.nextLink === undefined) return found;
  return new URL(found, "https://host").searchParams.get(parameters?.cursor ?? "") ?? undefined;
}

const interfaceNames = { pageSize: "pageSize", fromCreatedAt: "fromCreatedAt", toCreatedAt: "toCreatedAt" };

function namesOf(parameters: object = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).filter(([, name]) => name !== null));
}

/** A connection that is closed at the end of the handshake breaks at once, or on the first write. */
function failureOf({ code }: Error & { readonly code?: string }): string {
  return code === "ECONNRESET" || code === "EPIPE" ? "broken" : String(code);
}

const ofHttp = new Set(["date", "content-length", "connection", "keep-alive", "transfer-encoding"]);

function seen({ status, headers, text }: HttpsResponse): Seen {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const { code, error } = Object(body) as { code?: unknown; error?: unknown };
  const others = Object.entries(headers).filter(([name]) => !ofHttp.has(name));
  // Values that are made for each answer differ. The values of these headers are choices of the service.
  const compared = new Set(["www-authenticate", "allow", "cache-control", "pragma", "content-type"]);
  return {
    status,
    code,
    error,
    shape: shapeOf(body),
    headers: Object.fromEntries(others.map(([name, value]) => [name, compared.has(name) ? value : "…"])),
  };
}

/** Names and types; for an array, the different shapes in it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
}
