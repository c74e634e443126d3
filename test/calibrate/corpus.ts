import { correlationSamples } from "../../src/calibrate/correlation-samples.js";
import type { ClientHandle, StartOptions } from "../../src/index.js";
import { HttpsClient, type HttpsRequest, type HttpsResponse } from "../support/https-client.js";

/** What is compared of an answer. Texts for people, and the rows themselves, may differ. */
export interface Seen {
  readonly status: number | string;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly shape?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Question extends HttpsRequest {
  readonly says: string;
  readonly path: string;
  readonly as?: "client" | "other" | "none";
  /** `null` for none. */
  readonly token?: string | null;
  readonly correlation?: string | null;
}

const uuid = "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55";

/** The answers of a sandbox to a corpus of requests, by what they ask. */
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
  const form = (fields: Readonly<Record<string, string>>) => ({
    path: "/oauth/v2/oauth-token",
    method: "POST",
    token: null,
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  const good = { grant_type: "client_credentials", client_id: client.clientId, scope: "read" };
  const issued = await send({ says: "", ...form(good) });
  const token: string = issued.json.access_token;
  const list = lists["things"] as NonNullable<StartOptions["lists"]>[string];
  const path = (list.path ?? "").replace("{accountId}", "acc-1");
  const { cursor = "" } = list.parameters ?? {};
  // What a list does not have is asked for by the name of the interface.
  const { pageSize: size, fromCreatedAt: from, toCreatedAt: to } = { ...interfaceNames, ...namesOf(list.parameters) };
  const first = await send({ says: "", path, token });
  const nextPath = (list.envelope?.nextCursor ?? "").split(".");
  const next: string = nextPath.reduce((value, name) => value?.[name], first.json);
  const page = (query: Readonly<Record<string, string>>): Question => ({
    says: `list ${JSON.stringify(query)}`.replace(next, "NEXT"),
    path: `${path}?${new URLSearchParams(query)}`,
    token,
  });
  const questions: Question[] = [
    { says: "token", ...form(good) },
    { says: "token: unknown client", ...form({ ...good, client_id: "nobody" }) },
    { says: "token: other certificate", ...form(good), as: "other" },
    { says: "token: no certificate", ...form(good), as: "none" },
    { says: "token: empty form", ...form({}) },
    { says: "token: no client", ...form({ grant_type: "client_credentials", scope: "read" }) },
    { says: "token: secret", ...form({ ...good, client_secret: "x" }) },
    { says: "token: grant", ...form({ ...good, grant_type: "password" }) },
    { says: "token: scope", ...form({ ...good, scope: "write" }) },
    { says: "token: text", ...form(good), headers: { "Content-Type": "text/plain" } },
    { says: "token: large", ...form({ ...good, x: "x".repeat(80_000) }) },
    { says: "token: correlation", ...form(good), correlation: null },
    ...["", "?a=1", "?produceError=true", "?produceError=false", "?produceError=x", "?access_token=x"].map((query) => ({
      says: `ping${query}`,
      path: `/v1/ping${query}`,
      token,
    })),
    ...["Basic eDp5", "Bearer", "Bearer x", "Digest x", "Bearer a b"].map((authorization) => ({
      says: `ping: ${authorization}`,
      path: "/v1/ping",
      headers: { Authorization: authorization },
    })),
    { says: "ping: none", path: "/v1/ping", token: null },
    { says: "ping: no certificate", path: "/v1/ping", token, as: "none" },
    { says: "ping: other certificate", path: "/v1/ping", token, as: "other" },
    { says: "ping: no token, bad parameter", path: "/v1/ping?produceError=x", token: null },
    { says: "ping: long header", path: "/v1/ping", token, headers: { "X-Long": "x".repeat(20_000) } },
    { says: "ping: expect", path: "/v1/ping", token, headers: { Expect: "tea" } },
    ...["GET", "POST", "OPTIONS", "HEAD", "DELETE", "PUT"].flatMap((method) => [
      { says: `${method} ping`, path: "/v1/ping", token, method },
      { says: `${method} nowhere`, path: "/v1/nowhere", token, method },
      { says: `${method} list`, path, token, method },
    ]),
    ...correlationSamples(uuid).map(({ name, text }) => ({
      says: `ping: correlation ${name}`,
      path: "/v1/ping",
      token,
      correlation: text,
    })),
    { says: "ping: no correlation", path: "/v1/ping", token, correlation: null },
    ...[
      "0",
      "1",
      "2",
      "3",
      "5",
      "49",
      "50",
      "51",
      "99",
      "100",
      "101",
      "137",
      "138",
      "200",
      "250",
      "251",
      "1000",
      "1001",
      "x",
      "-1",
      "010",
    ].map((text) => page({ [size]: text })),
    ...["1990-05-01T00:00:00Z", "1990-05-01", "1990-05-01T00:00:00", "yesterday", "2999-01-01T00:00:00Z"].flatMap(
      (text) => [page({ [from]: text }), page({ [to]: text }), page({ [from]: text, [size]: "5" })],
    ),
    page({ [from]: "2026-05-02T00:00:00Z", [to]: "2026-05-01T00:00:00Z" }),
    page({}),
    page({ status: "PAID" }),
    page({ status: "nothing" }),
    page({ unheard: "1" }),
    page({ [cursor]: next }),
    page({ [cursor]: next, [size]: "4" }),
    page({ [cursor]: next, [from]: "2026-05-01T00:00:00Z" }),
    page({ [cursor]: "x" }),
    page({ [cursor]: "" }),
  ];
  const answers: Record<string, Seen> = {};
  for (const question of questions) {
    answers[question.says] = await send(question).then(seen, (error: Error) => ({ status: failureOf(error) }));
  }
  for (const each of Object.values(by)) each.close();
  return answers;
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
  // Values that are made for each answer differ; those of these headers are the service's choice.
  const compared = new Set(["www-authenticate", "allow", "cache-control", "pragma", "content-type"]);
  return {
    status,
    code,
    error,
    shape: shapeOf(body),
    headers: Object.fromEntries(others.map(([name, value]) => [name, compared.has(name) ? value : "…"])),
  };
}

/** Names and types; of an array the different shapes in it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
