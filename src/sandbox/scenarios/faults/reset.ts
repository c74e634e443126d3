import * as z from "zod";
import { defineKind } from "../define-fault.js";

export const reset = defineKind({
  under: "connection",
  name: "reset",
  description: "A TCP RST before any byte of the answer.",
  examples: ["reset", { kind: "reset", when: "handshake" }],
  keys: {
    when: z
      .literal("handshake", "the only value is handshake")
      .describe(
        "`handshake`: instead of the server's first byte of TLS. The rule then counts new connections of all clients, acts only while the scenario is active for all, and has no conditions except `after` and `for`.",
      )
      .optional(),
  },
  moments: [
    { onToken: "before anything is checked", elsewhere: "before anything is checked" },
    {
      written: "connection: { kind: reset, when: handshake }",
      onToken: "on every new connection",
      elsewhere: "on every new connection",
    },
  ],
  compile: ({ when }) => ({ inHandshake: when === "handshake" }),
  words: ({ inHandshake }) => (inHandshake ? "a TCP reset in the handshake" : "a TCP reset before any byte"),
  leaves: () => "nothing",
  actsOnHandshake: ({ inHandshake }) => inHandshake,
  onConnection: (_settings, wire) => wire.reset(),
});
