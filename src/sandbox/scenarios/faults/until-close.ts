import { definePlainKind } from "../define-fault.js";

export const untilClose = definePlainKind({
  under: "connection",
  name: "untilClose",
  description:
    "The whole answer, its body without a length and not in chunks: it ends with the connection (RFC 9112 §6.3). An answer without a body is sent as it is. Over HTTP/2 the rule does not match, and does not count.",
  http: 1,
  words: () => "an answer without a length: the end of the connection ends its body",
  leaves: () => "last-answer",
  async onSend(_settings, answer, wire) {
    const { head, body } = wire.lastAnswer({ ...answer, length: undefined, chunked: false });
    await wire.writeRaw(Buffer.concat([head, body]));
    wire.end();
  },
});
