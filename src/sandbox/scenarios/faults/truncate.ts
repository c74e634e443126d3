import { defineKind } from "../define-fault.js";
import { count, http2Code } from "../schema-values.js";

export const truncate = defineKind({
  under: "connection",
  name: "truncate",
  description:
    "The answer announces its whole length; a part of its body arrives, then a RST, over HTTP/2 a RST_STREAM. An answer without a body is sent as it is.",
  examples: ["truncate", { kind: "truncate", after: 10 }, { kind: "truncate", code: "PROTOCOL_ERROR" }],
  keys: {
    after: count.describe("How many bytes arrive, at most all but one; by default half.").optional(),
    code: http2Code.describe("Of the RST_STREAM.").default("INTERNAL_ERROR"),
  },
  compile: ({ after, code }) => ({ after, code }),
  words: ({ after, code }) =>
    `a TCP reset (over HTTP/2, a reset of the stream with ${code}) after ${after === undefined ? "half" : `at most ${after} bytes`} of the body`,
  leaves: () => "part",
  async onSend({ after, code }, answer, wire) {
    const { length } = answer.body;
    wire.writeHead(answer);
    await wire.write(answer.body.subarray(0, Math.min(after ?? Math.floor(length / 2), length - 1)));
    wire.resetStream(code);
  },
});
