import { type IncomingHttpHeaders, IncomingMessage } from "node:http";
import { connectionOf } from "./connection.js";

/** Node's types say that `headers` is a field. It is a getter, which reads the raw headers when it is first asked. */
const { get: nodesHeaders } = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers") as {
  get(this: IncomingMessage): IncomingHttpHeaders;
};

/** The headers of the newest request of a connection: as they were sent, and as Node understands them. */
export interface SentHeaders {
  readonly raw: string[];
  readonly parsed: IncomingHttpHeaders;
}

/**
 * A request that has its headers from the request before it on its connection, where the text is the same.
 *
 * Clients repeat their headers, tokens of 700 characters among them, and the journal keeps ten thousand requests: shared, the
 * repetitions are gone before the garbage collector has to copy them, and whoever looks at a list of headers a second time knows it
 * again. That, and not to parse them, is a tenth of a ping.
 */
export class SharingRequest extends IncomingMessage {}

Object.defineProperty(SharingRequest.prototype, "headers", {
  // Node asks for them before anybody else has the request, or `findRequestFault` does.
  get(this: SharingRequest): IncomingHttpHeaders {
    const connection = connectionOf(this.socket);
    const before = connection.sentHeaders;
    if (before !== undefined) {
      if (before.raw === this.rawHeaders) return before.parsed;
      if (shareTexts(before.raw, this.rawHeaders)) {
        this.rawHeaders = before.raw;
        return before.parsed;
      }
    }
    const parsed = nodesHeaders.call(this);
    connection.sentHeaders = { raw: this.rawHeaders, parsed };
    return parsed;
  },
});

/** Puts the texts of one list in the place of the same texts of another. @returns whether that has no others */
export function shareTexts(before: readonly string[], texts: string[]): boolean {
  let same = before.length === texts.length;
  for (let index = 0; index < texts.length; index++) {
    const text = before[index];
    if (text !== undefined && text === texts[index]) texts[index] = text;
    else same = false;
  }
  return same;
}
