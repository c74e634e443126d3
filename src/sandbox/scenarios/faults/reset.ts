import { defineKind } from "../define-fault.js";
import { inHandshake } from "../schema-values.js";

export const reset = defineKind({
  under: "connection",
  name: "reset",
  description: "A TCP RST before any byte.",
  examples: ["reset", { kind: "reset", when: "handshake" }],
  keys: {
    when: inHandshake("Instead of the server's first byte of TLS"),
  },
  compile: ({ when }) => ({ isInHandshake: when === "handshake" }),
  words: ({ isInHandshake }) => (isInHandshake ? "a TCP reset in the handshake" : "a TCP reset before any byte"),
  leaves: () => "nothing",
  onHandshake: ({ isInHandshake }) => (isInHandshake ? { kind: "reset" } : undefined),
  onConnection: (_settings, wire) => wire.reset(),
});
