import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { connectionOf } from "./connection.js";
import type { AnswerProblem, ProtocolAnswer } from "./protocol-problem.js";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Callback = (error: Error | null | undefined) => void;

/**
 * An answer that the server can give in the application's place: then whatever the application still writes is dropped.
 *
 * Without it, a late answer of the application would be a write after the end, which ends the process; and a status or header that
 * HTTP forbids would make the adapter tell the client the error's message.
 */
export class ApplicationResponse extends ServerResponse<IncomingMessage> {
  /** Set for each server by {@link applicationResponseFor}. */
  declare readonly answerProblem: AnswerProblem;
  #replaced = false;

  /** Gives this answer, as the last one of the connection. Only while no headers are sent. */
  replace(answer: ProtocolAnswer): void {
    this.#replaced = true;
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = "";
    this.shouldKeepAlive = false;
    super.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
    super.end(answer.body);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.#replaced) return this;
    try {
      return super.writeHead(status, reason as string, headers);
    } catch (cause) {
      if (this.headersSent) throw cause;
      const connection = connectionOf(this.req.socket);
      this.replace(
        this.answerProblem({
          code: "INTERNAL_SERVER_ERROR",
          reason: "The answer could not be written.",
          peer: connection.peer,
          connection,
          incoming: this.req,
          cause,
        }),
      );
      return this;
    }
  }

  override write(chunk: unknown, encoding?: unknown, callback?: Callback): boolean {
    return this.#replaced ? true : super.write(chunk, encoding as BufferEncoding, callback);
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: () => void): this {
    return this.#replaced ? this : super.end(chunk, encoding as BufferEncoding, callback);
  }
}

/** The class for one server's `ServerResponse` option. */
export function applicationResponseFor(answerProblem: AnswerProblem): typeof ApplicationResponse {
  class ServersResponse extends ApplicationResponse {}
  Object.defineProperty(ServersResponse.prototype, "answerProblem", { value: answerProblem });
  return ServersResponse;
}
