import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { jsonIn } from "../../base/text/json-object.js";
import { shortened } from "./answer.js";

/** Longest message of an agent, in bytes. The connection ends with a longer one. */
const longestMessage = 10 * 1024 * 1024;

/** The requests that the server answers, by method. */
const requests = new Map(
  [
    InitializeRequestSchema,
    PingRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ReadResourceRequestSchema,
    CompleteRequestSchema,
  ].map((schema) => [schema.shape.method.value as string, schema]),
);

/**
 * Standard input and output, a message a line. Unlike the SDK's own, it answers what is no message of JSON-RPC 2.0,
 * and parameters that are not valid, as its §5.1 says, and goes on.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** The beginning of a line that is not complete. */
  #parts: Buffer[] = [];
  #isClosed = false;

  async start(): Promise<void> {
    process.stdin.on("data", this.#read);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    process.stdin.off("data", this.#read).pause();
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // Errors of the protocol repeat what the agent sent, such as the URI of a resource.
    if (!("error" in message)) return this.#write(message);
    return this.#write({ ...message, error: { ...message.error, message: shortened(message.error.message) } });
  }

  async #write(message: object): Promise<void> {
    if (!process.stdout.write(`${JSON.stringify(message)}\n`))
      await new Promise((resolve) => process.stdout.once("drain", resolve));
  }

  readonly #read = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf("\n"); end >= 0 && !this.#isClosed; end = rest.indexOf("\n")) {
      const line = Buffer.concat([...this.#parts, rest.subarray(0, end)]).toString();
      this.#parts = [];
      rest = rest.subarray(end + 1);
      if (line.trim() !== "") this.#take(line);
    }
    if (this.#isClosed) return;
    this.#parts.push(rest);
    if (this.#parts.reduce((sum, { length }) => sum + length, 0) <= longestMessage) return;
    this.onerror?.(new Error(`A message is longer than ${longestMessage} bytes.`));
    void this.close();
  };

  #take(line: string): void {
    const value = jsonIn(line);
    if (value === undefined) {
      this.#refuse(null, ErrorCode.ParseError, "Parse error: this line is not JSON.");
      return;
    }
    const { success, data } = JSONRPCMessageSchema.safeParse(value);
    if (success) {
      const problem = "id" in data && "method" in data ? problemOf(data) : undefined;
      if (problem === undefined) this.onmessage?.(data);
      else this.#refuse(idOf(value), ErrorCode.InvalidParams, `Invalid params: ${problem}.`);
    } else if (!isResponse(value))
      this.#refuse(idOf(value), ErrorCode.InvalidRequest, "Invalid Request: give one request of JSON-RPC 2.0 a line.");
  }

  #refuse(id: string | number | null, code: ErrorCode, message: string): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

/** What is wrong with the parameters of a request, and where; undefined if nothing is, or its method is not known. */
function problemOf(request: JSONRPCRequest): string | undefined {
  const [issue] = requests.get(request.method)?.safeParse(request).error?.issues ?? [];
  return issue && shortened(`${issue.path.join(".")}: ${issue.message}`);
}

/** Whether a value that is no message is meant as a response. It gets none: each side would answer the other forever. */
function isResponse(value: unknown): boolean {
  const members = Object(value);
  return !("method" in members) && ("result" in members || "error" in members);
}

/** The id of a request that is not valid; null if there is none, or it is none. */
function idOf(value: unknown): string | number | null {
  const { id } = Object(value);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
