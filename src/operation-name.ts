/** The operations of the interface (§4); every list endpoint is the operation `list`. */
export type OperationName = "token" | "ping" | "list";
