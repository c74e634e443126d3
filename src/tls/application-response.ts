import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { PlainResponse } from "../response.js";
import { connectionOf } from "./connection.js";
import type { AnswerProblem, ProtocolAnswer } from "./protocol-problem.js";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Callback = (error: Error | null | undefined) => void;
type Send = (data: unknown, encoding?: unknown, callback?: unknown, byteLength?: unknown) => boolean;

/** Told once whether an answer was handed to the network as a whole. */
export interface DeliveryListener {
  closed(delivered: boolean): void;
}

/** How Node passes on what is to be written. It is undocumented, so it is touched only where {@link writesEndApart}. */
const { _send: send } = ServerResponse.prototype as unknown as { readonly _send: Send };

const endIsApart = writesEndApart();

/** Whether this Node (before 24) writes head and body as one text, and then an empty one that tells of the end. */
function writesEndApart(): boolean {
  const written: unknown[] = [];
  const request = { method: "GET", httpVersionMajor: 1, httpVersionMinor: 1 } as IncomingMessage;
  const response: ServerResponse & { _send?: Send } = new ServerResponse(request);
  response._send = (data) => written.push(data) > 0;
  response.writeHead(200, { "Content-Length": "4" });
  response.end("text");
  return typeof send === "function" && written.length === 2 && written[0] === "text" && written[1] === "";
}

/**
 * An answer that the server can give in the application's place: then whatever the application still writes is dropped.
 *
 * Without it, a late answer of the application would be a write after the end, which ends the process; and a status or header that
 * HTTP forbids would make the adapter tell the client the error's message.
 */
export class ApplicationResponse extends ServerResponse<IncomingMessage> {
  /** Set for each server by {@link applicationResponseFor}. */
  declare readonly answerProblem: AnswerProblem;
  /** Told when the answer has left, or the connection is gone. A listener for `close` would take ten times as long to add and remove. */
  deliveryListener: DeliveryListener | undefined = undefined;
  /** What came of asking the application, where that was done before the adapter is asked to write it. */
  prepared: Response | Promise<Response> | undefined = undefined;
  #replaced = false;
  /** Whether the text of the whole body is being written. */
  #ending = false;
  /** What is to be written together with the end: the text of the body. */
  #held: string | undefined = undefined;

  /** Gives this answer, as the last one of the connection. Only while no headers are sent. */
  replace(answer: ProtocolAnswer): void {
    this.#replaced = true;
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = "";
    this.shouldKeepAlive = false;
    super.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
    super.end(answer.body);
  }

  /** Gives an answer whose text is at hand. */
  give({ plainText: text, status, plainHeaders: headers }: PlainResponse): void {
    if (text === null || headers["Content-Length"] !== undefined) {
      this.writeHead(status, headers);
    } else if (this.useChunkedEncodingByDefault) {
      // Where Node notes the length of a body that it has met. If it did not look here any more, the body would go in chunks.
      (this as { _contentLength?: number })._contentLength = Buffer.byteLength(text);
      this.writeHead(status, headers);
    } else {
      this.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text) });
    }
    this.end(text ?? undefined);
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.#replaced) return this;
    try {
      return super.writeHead(status, reason as string, headers);
    } catch (cause) {
      if (this.headersSent) {
        // Answered already, and now once more: the client cannot be told of it any other way.
        this.destroy();
        return this;
      }
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
    if (this.#replaced) return this;
    this.#ending = endIsApart && typeof chunk === "string" && encoding === undefined;
    try {
      super.end(chunk, encoding as BufferEncoding, callback);
    } finally {
      this.#release();
    }
    return this;
  }

  /** Has text and end written as one, as later Nodes do. Two writes would be put together from a list of buffers: a twentieth of a ping. */
  _send(data: unknown, encoding?: unknown, callback?: unknown, byteLength?: unknown): boolean {
    if (!this.#ending) return send.call(this, data, encoding, callback, byteLength);
    if (this.#held === undefined && typeof data === "string" && data !== "" && !this.chunkedEncoding) {
      this.#held = data;
      return true;
    }
    if (data !== "" || this.#held === undefined) {
      this.#release();
      return send.call(this, data, encoding, callback, byteLength);
    }
    const text = this.#held;
    this.#held = undefined;
    return send.call(this, text, "utf8", callback);
  }

  /** Writes what is still held, and holds nothing more. */
  #release(): void {
    const text = this.#held;
    this.#ending = false;
    this.#held = undefined;
    if (text !== undefined) send.call(this, text, "utf8");
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === "close") this.deliveryListener?.closed(this.writableFinished && this.headersSent);
    return super.emit(event, ...values);
  }
}

/** The class for one server's `ServerResponse` option. */
export function applicationResponseFor(answerProblem: AnswerProblem): typeof ApplicationResponse {
  class ServersResponse extends ApplicationResponse {}
  Object.defineProperty(ServersResponse.prototype, "answerProblem", { value: answerProblem });
  return ServersResponse;
}
