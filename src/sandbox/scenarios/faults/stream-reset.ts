import { defineKind } from "../define-fault.js";
import { http2Code } from "../schema-values.js";

export const streamReset = defineKind({
  under: "stream",
  name: "reset",
  description: "RST_STREAM. Over HTTP/1.1 as `connection: reset`.",
  examples: [{ kind: "reset", code: "CANCEL" }],
  keys: { code: http2Code.describe("Its error code.").default("INTERNAL_ERROR") },
  compile: ({ code }) => ({ code }),
  words: ({ code }) => `the stream is reset with ${code} (over HTTP/1.1, the connection is reset)`,
  leaves: () => "nothing",
  onConnection: ({ code }, wire) => wire.resetStream(code),
});
