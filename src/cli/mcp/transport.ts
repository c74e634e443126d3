import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { shortened } from "./answer.js";

/** Standard input and output. Errors of the protocol repeat what the agent sent, such as the URI of a resource. */
export class BoundedTransport extends StdioServerTransport {
  override send(message: JSONRPCMessage): Promise<void> {
    if (!("error" in message)) return super.send(message);
    return super.send({ ...message, error: { ...message.error, message: shortened(message.error.message) } });
  }
}
