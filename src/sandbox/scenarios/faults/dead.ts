import { longestWait } from "../defaults.js";
import { defineKind } from "../define-fault.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const dead = defineKind({
  under: "connection",
  name: "dead",
  description:
    "The connection is dead: no answer, over HTTP/2 on no stream, no acknowledgement of a PING or of SETTINGS, and no FIN. What the client sends is read and discarded, and its further requests are not known.",
  examples: ["dead", { kind: "dead", duration: "2m" }],
  keys: {
    duration: duration("How long at most, until the client closes it; then it is closed.", longestWait).default("30s"),
  },
  takesTime: true,
  compile: (written) => ({ duration: milliseconds(written.duration) }),
  words: ({ duration: most }) => `a dead connection for up to ${time(most)}`,
  leaves: () => "nothing",
  async onConnection(set, wire) {
    await wire.goSilent(set.duration);
    wire.close();
  },
});
