/**
 * The operations of the interface (§4): the method of each, and its path after the base path. Types, schemas and
 * filters derive from this table.
 */
export const operations = {
  token: { method: "POST", path: "/oauth/v2/oauth-token" },
  ping: { method: "GET", path: "/v1/ping" },
  /** Every list endpoint. Its path is a setting. */
  list: { method: "GET", path: undefined },
} as const;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];
