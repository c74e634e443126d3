import { defineKind } from "../define-fault.js";
import { inPieces } from "../pieces.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const slowHeaders = defineKind({
  under: "connection",
  name: "slowHeaders",
  description:
    "The whole answer, its status line and headers a piece at a time; then the connection is closed. Over HTTP/2 the rule does not match, and does not count.",
  examples: ["slowHeaders", { kind: "slowHeaders", duration: "1s" }],
  keys: { duration: duration("How long that takes.").default("5s") },
  http: 1,
  takesTime: true,
  needsNoBody: true,
  compile: (written) => ({ duration: milliseconds(written.duration) }),
  words: (set) => `the status line and the headers a piece at a time, over ${time(set.duration)}`,
  leaves: () => "last-answer",
  async onSend(set, answer, wire) {
    const { head, body } = wire.lastAnswer(answer);
    for await (const piece of inPieces(head, set.duration, wire)) await wire.writeRaw(piece);
    await wire.writeRaw(body);
    wire.end();
  },
});
