import { openApi } from "../../../src/sandbox/api/openapi.js";
import { createOperations } from "../../../src/sandbox/api/operations.js";
import { type AssumptionSettings, defaultAssumptions } from "../../../src/sandbox/assumptions.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { defaultLists, type ListSettings } from "../../../src/sandbox/lists/settings.js";
import type { Document } from "./validate.js";

/** The document of a sandbox with these lists and assumptions. */
export async function documentOf(
  lists: Readonly<Record<string, ListSettings>> = defaultLists,
  assumptions: AssumptionSettings = defaultAssumptions(),
  url = "https://localhost:8443",
): Promise<Document> {
  const compiled = Object.entries(lists).map(([name, settings]) => compileList(name, settings));
  const operations = createOperations(compiled, assumptions);
  const document = await openApi({ operations, assumptions, url });
  // The document is served as text, so undefined members are missing.
  return JSON.parse(JSON.stringify(document));
}

/** Lists with every kind of field, name and envelope. */
export const unusualLists: Readonly<Record<string, ListSettings>> = {
  invoices: {
    path: "/v2/accounts/{accountId}/invoices",
    count: 9,
    fields: {
      account: { type: "parameter", name: "accountId" },
      "in.voice": { type: "id", prefix: "a.b_", length: 12 },
      state: { type: "choice", values: ["open", "paid", null, 3, true] },
      due: { type: "integer", min: -3, max: 4 },
      total: { type: "decimal", min: -10, max: 20, decimals: 3 },
      rate: { type: "decimal", min: 0, max: 2, as: "number" },
      whole: { type: "decimal", min: 0, max: 2, decimals: 0 },
      fixed: { type: "constant", value: { list: [1, "x"] } },
      open: { type: "boolean" },
      title: { type: "text", template: "No. {number} of {accountId}" },
      dates: { type: "object", fields: { issued: { type: "createdAt" } } },
    },
    dateField: "dates.issued",
    order: "oldest-first",
    filters: { state: "state" },
    parameters: { pageSize: "limit", cursor: "after", fromCreatedAt: "since", toCreatedAt: null },
    pageSize: { default: 4, minimum: 2, maximum: 5 },
    envelope: {
      items: "data",
      nextCursor: "paging.next",
      hasMore: "paging.more",
      total: "paging.total",
      pageSize: "paging.size",
      count: "paging.count",
      lastCursor: "null",
      extra: { "meta.version": 1, "meta.tags": ["a"] },
    },
  },
  "own-items": {
    items: [
      { createdAt: "2026-01-02T00:00:00Z", a: 1, b: null, list: [1, { x: 1 }], note: "2026-01-01" },
      { createdAt: "2026-01-01T00:00:00+01:00", a: 1.5, b: "text", list: [], more: { deep: true } },
    ],
  },
  own_items: { path: "/v1/others", items: [], dateField: null, filters: {} },
};

/** Assumptions with a change of each one that affects the document. */
export function changedAssumptions(): AssumptionSettings {
  const { values } = defaultAssumptions();
  return {
    header: true,
    values: {
      ...values,
      "token.error-body": "oauth",
      "token.cache-headers": false,
      "token.lifetime": 60,
      "http.compression": "gzip",
      "correlation.header": "X-Request-Id",
      "correlation.format": "[a-z]{3,8}",
      "correlation.required": true,
      "ping.response": { status: 202, body: { up: true, since: null } },
    },
    errors: {
      "bearer.missing-token": { status: 403, code: "NOBODY", message: "Who are you?" },
      "token.media-type": { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
      "http.rate-limit": { status: 503 },
    },
  };
}

/** Documents of every shape. */
export const variants: [name: string, document: Document][] = [
  ["of a sandbox without configuration", await documentOf()],
  ["with unusual lists", await documentOf({ ...defaultLists, ...unusualLists })],
  ["with changed assumptions", await documentOf(defaultLists, changedAssumptions())],
  ["without lists", await documentOf({})],
  ["without Sandbox-Assumed", await documentOf(defaultLists, { ...defaultAssumptions(), header: false })],
  [
    "with a ping that has no body",
    await documentOf(defaultLists, {
      ...defaultAssumptions(),
      values: { ...defaultAssumptions().values, "ping.response": { status: 204, body: null } },
    }),
  ],
];

/** Every body that the document describes, with the pointer to it. */
export function mediaOf(document: Document, pointer = ""): [string, Document][] {
  if (typeof document !== "object" || document === null) return [];
  return Object.entries<Document>(document).flatMap(([name, member]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (name !== "content") return mediaOf(member, at);
    return Object.entries<Document>(member).map(([type, media]): [string, Document] => [
      `${at}/${type.replaceAll("/", "~1")}`,
      media,
    ]);
  });
}
