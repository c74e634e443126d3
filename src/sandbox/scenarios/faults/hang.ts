import { longestWait } from "../defaults.js";
import { defineKind } from "../define-fault.js";
import { duration, inHandshake, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const hang = defineKind({
  under: "connection",
  name: "hang",
  description: "No answer until the client gives up.",
  examples: [
    { kind: "hang", duration: "10s" },
    { kind: "hang", when: "handshake" },
  ],
  keys: {
    when: inHandshake("After the client's first record, without a byte of TLS from the server"),
    duration: duration(
      "How long at most; then the connection is closed, over HTTP/2 the stream reset.",
      longestWait,
    ).default("30s"),
  },
  takesTime: true,
  compile: (written) => ({ duration: milliseconds(written.duration), isInHandshake: written.when === "handshake" }),
  words: ({ duration: most, isInHandshake }) =>
    isInHandshake ? `no ServerHello for up to ${time(most)}` : `no answer for up to ${time(most)}`,
  leaves: () => "nothing",
  onHandshake: (set) => (set.isInHandshake ? { kind: "hang", duration: set.duration } : undefined),
  async onConnection(set, wire) {
    await wire.clientGone(set.duration);
    if (wire.http === 1) wire.close();
    else wire.resetStream();
  },
});
