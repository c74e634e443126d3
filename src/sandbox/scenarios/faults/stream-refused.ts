import { definePlainKind } from "../define-fault.js";

export const streamRefused = definePlainKind({
  under: "stream",
  name: "refused",
  description:
    "RST_STREAM with REFUSED_STREAM: the request was not processed, and can be sent again. Over HTTP/1.1 as `connection: close`.",
  words: () => "the stream is refused (over HTTP/1.1, the connection is closed)",
  leaves: () => "nothing",
  onConnection(_settings, wire) {
    // The nearest equivalent: a client repeats a request if the server closes the connection before it sends a byte.
    if (wire.http === 1) wire.close();
    else wire.resetStream("REFUSED_STREAM");
  },
});
