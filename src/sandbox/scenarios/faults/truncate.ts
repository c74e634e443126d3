import { defineKind } from "../define-fault.js";
import { count, http2Code } from "../schema-values.js";

export const truncate = defineKind({
  under: "connection",
  name: "truncate",
  description:
    "The answer announces its whole length; half of its body arrives, unless `after` says how much, then a RST; over HTTP/2, a RST_STREAM with INTERNAL_ERROR, or with `code`. An answer without a body is sent as it is.",
  examples: ["truncate", { kind: "truncate", after: 10 }, { kind: "truncate", code: "PROTOCOL_ERROR" }],
  keys: {
    after: count
      .describe("The number of bytes of the body that arrive, at most all but one; by default half of them.")
      .optional(),
    code: http2Code.describe("The error code of the RST_STREAM, over HTTP/2.").default("INTERNAL_ERROR"),
  },
  versions: [
    {
      http2: "a part of the body, then RST_STREAM with INTERNAL_ERROR, or with `code`",
      http1: "a part of the body, then a RST",
    },
  ],
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
