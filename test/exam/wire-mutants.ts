import { first, firstForm, firstFormAt, firstGet, firstWalk, type Mutant } from "./mutant.js";

const payments = "/v1/payments";
const type = (contentType: string) => ({ "Content-Type": contentType });

/** Requests the second page differently from the first one, and accepts an error as an answer. */
const secondPage = (
  filters: Readonly<Record<string, string>>,
  change: (filters: Readonly<Record<string, string>>, cursor: string) => string,
) =>
  first(async (client) => {
    const { next = "" } = await client.page(payments, { pageSize: "2", ...filters }, undefined);
    await client.authorised(`${payments}?pageSize=2&${change(filters, next)}`, await client.token());
  });

const withCursor = (change: (cursor: string) => string) =>
  secondPage({}, (_filters, cursor) => `cursor=${change(cursor)}`);

const withHeader = (name: string, value: string) =>
  first(async (client) => {
    const headers = { Authorization: `Bearer ${(await client.token()).value}`, [name]: value };
    await client.send({ path: "/v1/ping", headers });
  });

/** Clients that send one request that is wrong on the wire, in many variants. */
export const wireMutants: readonly Mutant[] = [
  ...(
    [
      ["multipart", firstForm((body) => body, type("multipart/form-data; boundary=x"))],
      ["another charset", firstForm((body) => body, type("application/x-www-form-urlencoded; charset=iso-8859-1"))],
      ["a coded body", firstForm((body) => body, { "Content-Encoding": "gzip" })],
      ["nothing", firstForm(() => "")],
      ["names in capitals", firstForm((body) => body.replace("grant_type", "Grant_Type"))],
      ["semicolons", firstForm((body) => body.replaceAll("&", ";"))],
      ["a parameter in body and URL", firstFormAt("grant_type=client_credentials")],
    ] as const
  ).map(([how, Client]) => ({ fails: "token.form" as const, how, Client })),
  ...(
    [
      [
        "another value",
        ({ status }: Readonly<Record<string, string>>) => `status=${status === "PENDING" ? "EXECUTED" : ""}`,
      ],
      ["one more", () => "status=PENDING&fromCreatedAt=2020-01-01T00:00:00Z"],
    ] as const
  ).map(([how, change]) => ({
    fails: "list.filters" as const,
    how,
    Client: secondPage({ status: "PENDING" }, (filters, cursor) => `${change(filters)}&cursor=${cursor}`),
  })),
  ...(
    [
      ["cut off", (cursor: string) => cursor.slice(0, -3)],
      ["padded", (cursor: string) => `${cursor}==`],
      ["encoded twice", (cursor: string) => `${cursor.slice(0, -1)}%252D`],
      ["a page number", () => "2"],
      ["empty", () => ""],
      ["twice", (cursor: string) => `${cursor}&cursor=${cursor}`],
    ] as const
  ).map(([how, change]) => ({ fails: "list.cursor" as const, how, Client: withCursor(change) })),
  ...["101", "-1", "abc", "", "1e1", "10.0", " 10"].map((pageSize) => ({
    fails: "list.page-size" as const,
    how: `"${pageSize}"`,
    Client: firstWalk(payments, { pageSize }),
  })),
  ...(
    [
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
    Client: firstGet(path, method),
  })),
  ...["page_size=10", "limit=10", "sort", "Status=PENDING", "%66oo=1"].map((query) => ({
    fails: "request.parameters" as const,
    how: query,
    Client: firstGet(`${payments}?${query}`),
  })),
  ...[
    "fromCreatedAt=2020-01-01",
    "fromCreatedAt=2020-01-01T00:00:00",
    "fromCreatedAt=2020-01-01T00:00:00+01:00",
    "fromCreatedAt=2020-02-30T00:00:00Z",
    "fromCreatedAt=%ff",
    "toCreatedAt=",
    "fromCreatedAt=2021-01-01T00:00:00Z&toCreatedAt=2020-01-01T00:00:00Z",
    "status=PENDING&status=EXECUTED",
  ].map((query) => ({
    fails: "request.values" as const,
    how: query,
    Client: firstGet(`${payments}?${query}`),
  })),
  ...["TRUE", "1", "", "true&produceError=true"].map((value) => ({
    fails: "request.values" as const,
    how: `produceError=${value}`,
    Client: firstGet(`/v1/ping?produceError=${value}`),
  })),
  ...["not-a-uuid", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", ""].map((value) => ({
    fails: "request.correlation-id" as const,
    how: `"${value}"`,
    Client: withHeader("X-Correlation-ID", value),
  })),
];
