import { defineKind } from "../define-fault.js";
import { count } from "../schema-values.js";

export const truncate = defineKind({
  under: "connection",
  name: "truncate",
  description:
    "The answer announces its whole length; half of its body arrives, unless `after` says how much, then a RST. An answer without a body is sent as it is.",
  examples: ["truncate", { kind: "truncate", after: 10 }],
  keys: {
    after: count
      .describe("The number of bytes of the body that arrive, at most all but one; by default half of them.")
      .optional(),
  },
  versions: [{ http2: "a part of the body, then RST_STREAM", http1: "a part of the body, then a RST" }],
  compile: ({ after }) => ({ after }),
  words: ({ after }) =>
    `a TCP reset (over HTTP/2, a reset of the stream) after ${after === undefined ? "half" : `at most ${after} bytes`} of the body`,
  leaves: () => "part",
  async onSend({ after }, answer, wire) {
    const { length } = answer.body;
    wire.writeHead(answer);
    await wire.write(answer.body.subarray(0, Math.min(after ?? Math.floor(length / 2), length - 1)));
    wire.resetStream();
  },
});
