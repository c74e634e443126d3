import { definePlainKind } from "../define-fault.js";

export const close = definePlainKind({
  under: "connection",
  name: "close",
  description: "An orderly FIN before any byte.",
  words: () => "the connection is closed before any byte",
  leaves: () => "nothing",
  onConnection: (_settings, wire) => wire.close(),
});
