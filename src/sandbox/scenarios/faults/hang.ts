import { longestWait } from "../defaults.js";
import { defineKind } from "../define-fault.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

export const hang = defineKind({
  under: "connection",
  name: "hang",
  description:
    "No answer until the client gives up; at most 60s, unless a duration says otherwise. Over HTTP/2, other streams go on.",
  examples: [{ kind: "hang", duration: "10s" }],
  keys: { duration: duration("How long at most; then the connection is closed.", longestWait).default("60s") },
  takesTime: true,
  compile: (written) => ({ duration: milliseconds(written.duration) }),
  words: (set) => `no answer for up to ${time(set.duration)}`,
  leaves: () => "nothing",
  async onConnection(set, wire) {
    await wire.clientGone(set.duration);
    if (wire.http === 1) wire.close();
    else wire.resetStream();
  },
});
