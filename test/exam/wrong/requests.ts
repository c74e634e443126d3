import { first, firstForm, firstFormAt, firstGet, firstWalk, payments, type WrongClient } from "./wrong-client.js";

type Filters = Readonly<Record<string, string>>;
const type = (contentType: string) => ({ "Content-Type": contentType });

/** Requests the second page differently from the first one, and accepts an error as an answer. */
const secondPage = (filters: Filters, change: (filters: Filters, cursor: string) => string) =>
  first(async (client) => {
    const { next = "" } = await client.page(payments, { pageSize: "2", ...filters }, undefined);
    await client.authorised(`${payments}?pageSize=2&${change(filters, next)}`, await client.token());
  });

const withCursor = (change: (cursor: string) => string) =>
  secondPage({}, (_filters, cursor) => `cursor=${change(cursor)}`);

const withCorrelationId = (value: string) =>
  first(async (client) => {
    const headers = { Authorization: `Bearer ${(await client.token()).value}`, "X-Correlation-ID": value };
    await client.send({ path: "/v1/ping", headers });
  });

/** The variants of one mistake. */
const each = (fails: WrongClient["fails"], ways: Readonly<Record<string, WrongClient["wrong"]>>) =>
  Object.entries(ways).map(([how, wrong]) => ({ fails, how, wrong }));

const eachText = (
  fails: WrongClient["fails"],
  texts: readonly string[],
  wrong: (text: string) => WrongClient["wrong"],
) => texts.map((text) => ({ fails, how: `"${text}"`, wrong: wrong(text) }));

/** Clients whose requests are not those of the interface. One request shows it. */
export const wrongRequests: readonly WrongClient[] = [
  ...each("token.no-secret", {
    "a secret in the form": firstForm((body) => `${body}&client_secret=hush`),
    "Basic authentication": firstForm((body) => body, {
      Authorization: `Basic ${Buffer.from("demo:hush").toString("base64")}`,
    }),
    "an assertion": firstForm((body) => `${body}&client_assertion_type=urn%3Ax&client_assertion=eyJ`),
    "a secret in the URL": firstFormAt("client_secret=hush"),
  }),
  ...each("token.form", {
    JSON: firstForm(() => JSON.stringify({ grant_type: "client_credentials" }), type("application/json")),
    "no scope": firstForm((body) => body.replace("&scope=read", "")),
    "an empty scope": firstForm((body) => body.replace("=read", "=")),
    "a repeated parameter": firstForm((body) => `${body}&scope=read`),
    "another grant": firstForm((body) => body.replace("client_credentials", "password")),
    "a broken encoding": firstForm((body) => `${body}&x=%ZZ`),
    "parameters in the URL": firstFormAt("scope=read&client_id=demo", () => ""),
    multipart: firstForm((body) => body, type("multipart/form-data; boundary=x")),
    "another charset": firstForm((body) => body, type("application/x-www-form-urlencoded; charset=iso-8859-1")),
    "a coded body": firstForm((body) => body, { "Content-Encoding": "gzip" }),
    nothing: firstForm(() => ""),
    "names in capitals": firstForm((body) => body.replace("grant_type", "Grant_Type")),
    semicolons: firstForm((body) => body.replaceAll("&", ";")),
    "a parameter in body and URL": firstFormAt("grant_type=client_credentials"),
  }),
  ...each("token.granted", {
    "a scope that was never granted": firstForm((body) => body.replace("scope=read", "scope=write")),
    "the client_id of another client": firstForm((body) => body.replace(/client_id=[^&]+/, "client_id=somebody-else")),
  }),
  ...each("list.filters", {
    "only on the first page": secondPage({ status: "PENDING" }, (_filters, cursor) => `cursor=${cursor}`),
    "another value": secondPage({ status: "PENDING" }, (_filters, cursor) => `status=EXECUTED&cursor=${cursor}`),
    "one more": secondPage(
      { status: "PENDING" },
      (_filters, cursor) => `status=PENDING&fromCreatedAt=2020-01-01T00:00:00Z&cursor=${cursor}`,
    ),
  }),
  ...each("list.cursor", {
    "in lower case": withCursor((cursor) => cursor.toLowerCase()),
    "cut off": withCursor((cursor) => cursor.slice(0, -3)),
    padded: withCursor((cursor) => `${cursor}==`),
    "encoded twice": withCursor((cursor) => `${cursor.slice(0, -1)}%252D`),
    "a page number": withCursor(() => "2"),
    empty: withCursor(() => ""),
    twice: withCursor((cursor) => `${cursor}&cursor=${cursor}`),
  }),
  {
    fails: "list.cursor",
    how: "is not percent-encoded",
    scenario: "reserved-cursors",
    wrong: withCursor((cursor) => cursor),
  },
  ...eachText("list.page-size", ["500", "0", "101", "-1", "abc", "", "1e1", "10.0", " 10"], (pageSize) =>
    firstWalk(payments, { pageSize }),
  ),
  ...(
    [
      ["GET", "/v1/pings"],
      ["GET", "//v1/ping"],
      ["POST", "/v1/ping"],
      ["GET", "/v1/ping/"],
      ["GET", "/v1/Ping"],
      ["GET", "/v1/%70ing"],
      ["HEAD", "/v1/ping"],
      ["OPTIONS", "/v1/ping"],
      ["PUT", payments],
      ["GET", "/oauth/v2/oauth-token"],
      ["GET", "/"],
    ] as const
  ).map(([method, path]) => ({
    fails: "request.path" as const,
    how: `${method} ${path}`,
    wrong: firstGet(path, method),
  })),
  ...eachText(
    "request.parameters",
    [
      `${payments}?pagesize=10`,
      "/v1/ping?produceerror=true",
      ...["page_size=10", "limit=10", "sort", "Status=PENDING", "%66oo=1"].map((query) => `${payments}?${query}`),
    ],
    firstGet,
  ),
  ...eachText(
    "request.values",
    [
      ...[
        "fromCreatedAt=yesterday",
        "fromCreatedAt=2020-01-01",
        "fromCreatedAt=2020-01-01T00:00:00",
        "fromCreatedAt=2020-01-01T00:00:00+01:00",
        "fromCreatedAt=2020-02-30T00:00:00Z",
        "fromCreatedAt=%ff",
        "toCreatedAt=",
        "fromCreatedAt=2021-01-01T00:00:00Z&toCreatedAt=2020-01-01T00:00:00Z",
        "status=PENDING&status=EXECUTED",
      ].map((query) => `${payments}?${query}`),
      ...["yes", "TRUE", "1", "", "true&produceError=true"].map((value) => `/v1/ping?produceError=${value}`),
    ],
    firstGet,
  ),
  ...eachText(
    "request.correlation-id",
    ["42", "not-a-uuid", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", ""],
    withCorrelationId,
  ),
];
