import { longestWait } from "../defaults.js";
import { defineKind } from "../define-fault.js";
import { duration, http2Code, inHandshake, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const stall = defineKind({
  under: "connection",
  name: "stall",
  description:
    "The whole answer, but nothing comes for a time after half of its body. An answer without a body is sent as it is.",
  examples: [
    "stall",
    { kind: "stall", duration: "1s" },
    { kind: "stall", duration: "1s", code: "CANCEL" },
    { kind: "stall", when: "handshake" },
  ],
  keys: {
    when: inHandshake("After the beginning of a ServerHello"),
    duration: duration("How long.", longestWait).default("5s"),
    code: http2Code.describe("Instead of the rest, a RST, over HTTP/2 a RST_STREAM with this code.").optional(),
  },
  takesTime: true,
  compile: ({ duration: written, code, when }) => ({
    duration: milliseconds(written),
    code,
    isInHandshake: when === "handshake",
  }),
  problem: ({ code, isInHandshake }) =>
    isInHandshake && code !== undefined ? "In the handshake there is no stream yet: leave out code." : undefined,
  words: ({ duration: silence, code, isInHandshake }) =>
    isInHandshake
      ? `nothing for up to ${time(silence)} in the middle of the handshake`
      : `nothing for ${time(silence)} in the middle of the body${code === undefined ? "" : `, then a TCP reset (over HTTP/2, a reset of the stream with ${code})`}`,
  onHandshake: (set) => (set.isInHandshake ? { kind: "stall", duration: set.duration } : undefined),
  async onSend(set, answer, wire) {
    const half = Math.ceil(answer.body.length / 2);
    wire.writeHead(answer);
    await wire.write(answer.body.subarray(0, half));
    await wire.clientGone(set.duration);
    if (set.code !== undefined) return wire.resetStream(set.code);
    // Not awaited: a client that knows the length may close the connection as soon as it has the last byte.
    void wire.write(answer.body.subarray(half));
    wire.end();
  },
});
