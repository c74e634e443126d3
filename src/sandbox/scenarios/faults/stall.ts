import { longestWait } from "../defaults.js";
import { defineKind } from "../define-fault.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const stall = defineKind({
  under: "connection",
  name: "stall",
  description:
    "The whole answer, but after half of its body nothing comes for 5s, unless a duration says otherwise. Over HTTP/2, other streams go on. An answer without a body is sent as it is.",
  examples: ["stall", { kind: "stall", duration: "1s" }],
  keys: { duration: duration("How long nothing comes.", longestWait).default("5s") },
  takesTime: true,
  compile: (written) => ({ duration: milliseconds(written.duration) }),
  words: (set) => `nothing for ${time(set.duration)} in the middle of the body`,
  async onSend(set, answer, wire) {
    const half = Math.ceil(answer.body.length / 2);
    wire.writeHead(answer);
    await wire.write(answer.body.subarray(0, half));
    await wire.clientGone(set.duration);
    // Not awaited: a client that knows the length may close the connection as soon as it has the last byte.
    void wire.write(answer.body.subarray(half));
    wire.end();
  },
});
