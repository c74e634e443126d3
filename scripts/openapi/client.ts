// A client with types that openapi-typescript made from the document: it compiles only if everything that it uses
// exists there.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import { Agent, Request, fetch as undiciFetch } from "undici";
import type { components, paths } from "./schema.js";

const { SANDBOX_URL, SANDBOX_CLIENT_ID, SANDBOX_CA_FILE, SANDBOX_CERT_FILE, SANDBOX_KEY_FILE } = process.env;
const file = (name: string | undefined) => readFileSync(name ?? "", "utf8");
const dispatcher = new Agent({
  connect: { ca: file(SANDBOX_CA_FILE), cert: file(SANDBOX_CERT_FILE), key: file(SANDBOX_KEY_FILE) },
});

const api = createClient<paths>({
  baseUrl: SANDBOX_URL ?? "",
  Request: Request as unknown as typeof globalThis.Request,
  fetch: (request) => undiciFetch(request as unknown as Request, { dispatcher }) as unknown as Promise<Response>,
});

const token = await api.POST("/oauth/v2/oauth-token", {
  body: { client_id: SANDBOX_CLIENT_ID ?? "", grant_type: "client_credentials", scope: "read" },
  bodySerializer: (body) => new URLSearchParams({ ...body }).toString(),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});
if (!token.data) throw new Error(`no token: ${JSON.stringify(token.error)}`);
const headers = { Authorization: `Bearer ${token.data.access_token}` };

const pong = await api.GET("/v1/ping", { headers });
const status: string | undefined = pong.data?.status;
console.log(`ping: ${status}`);

const refused = await api.GET("/v1/ping", { headers, params: { query: { produceError: true } } });
// All errors have the same type, whatever their status.
const error: components["schemas"]["Error"] | undefined = refused.error;
console.log(`example error: ${refused.response.status} ${error?.code}`);

const rows: components["schemas"]["PayoutsItem"][] = [];
let cursor: string | undefined;
do {
  const query = { status: "PAID", pageSize: 5, ...(cursor === undefined ? {} : { cursor }) };
  const page = await api.GET("/v1/payouts", { headers, params: { query } });
  if (!page.data) throw new Error(`no page: ${page.error.code}`);
  rows.push(...page.data.items);
  cursor = page.data.nextCursor;
} while (cursor !== undefined);
console.log(`paid payouts: ${rows.length}, the newest over ${rows[0]?.amount.currency}`);
