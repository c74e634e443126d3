/** The operations of the interface (§4); every list endpoint is the operation `list`. Types, schemas and filters derive from this list. */
export const operationNames = ["token", "ping", "list"] as const;

export type OperationName = (typeof operationNames)[number];
