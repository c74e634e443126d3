import { defineKind } from "../define-fault.js";
import { inPieces } from "../pieces.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const drip = defineKind({
  under: "connection",
  name: "drip",
  description: "The whole answer, its body a piece at a time. An answer without a body is sent as it is.",
  examples: ["drip", { kind: "drip", duration: "1s" }],
  keys: { duration: duration("How long that takes.").default("5s") },
  takesTime: true,
  compile: (written) => ({ duration: milliseconds(written.duration) }),
  words: (set) => `the body a piece at a time, over ${time(set.duration)}`,
  async onSend(set, answer, wire) {
    wire.writeHead(answer);
    let written: Promise<void> | undefined;
    for await (const piece of inPieces(answer.body, set.duration, wire)) {
      await written;
      written = wire.write(piece);
    }
    // The last one is not awaited: a client that knows the length may close the connection as soon as it has the last
    // byte.
    wire.end();
  },
});
