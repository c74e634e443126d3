import { defineKind } from "../define-fault.js";
import { http2Code, oneOf } from "../schema-values.js";

export const goaway = defineKind({
  under: "connection",
  name: "goaway",
  description:
    "The answer, and GOAWAY: the connection takes no further request. Over HTTP/1.1 the answer has `Connection: close`.",
  examples: ["goaway", { kind: "goaway", code: "ENHANCE_YOUR_CALM", lastStream: "before" }],
  keys: {
    code: http2Code.describe("The error code of GOAWAY.").default("NO_ERROR"),
    lastStream: oneOf(["this", "before"], "last stream")
      .describe(
        "`this`: the stream of the request is the last one that is answered. `before`: the request is not processed, and can be sent again on another connection; over HTTP/1.1 the connection is closed before any byte.",
      )
      .default("this"),
  },
  versions: [
    {
      http2: "GOAWAY that names this stream as the last one; open requests are answered; then the connection is closed",
      http1: "the answer has `Connection: close`",
    },
    {
      written: "connection: { kind: goaway, lastStream: before }",
      http2:
        "GOAWAY that names the stream before this one; earlier streams are answered; later ones are reset with `REFUSED_STREAM`, as this stream is; then the connection is closed. If there was no earlier stream, GOAWAY names the newest one, because Node always names a stream",
      http1: "as `connection: close`",
    },
  ],
  compile: ({ code, lastStream }) => ({ code, lastStream }),
  words: ({ code, lastStream }) =>
    `GOAWAY${code === "NO_ERROR" ? "" : ` with ${code}`}${lastStream === "before" ? " before the request" : ""}`,
  leaves: ({ lastStream }) => (lastStream === "before" ? "nothing" : "last-answer"),
  onConnection: ({ code, lastStream }, wire) => wire.goAway(code, lastStream),
});
