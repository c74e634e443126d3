import { definePlainKind } from "../define-fault.js";

export const closeAfterAnswer = definePlainKind({
  under: "connection",
  name: "closeAfterAnswer",
  description:
    "The answer as usual, and then an orderly FIN that nothing announces: no `Connection: close`, no GOAWAY. Over HTTP/2, the answers to other open requests leave first. A request that comes later is not processed.",
  words: () => "the connection is closed after the answer, which does not say so",
  leaves: () => "last-answer",
  onConnection: (_settings, wire) => wire.closeAfterAnswer(),
});
