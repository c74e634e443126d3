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
        "`this`: open requests are still answered, and no further one. `before`: the request is not processed, and can be sent again on another connection; over HTTP/1.1 the connection is closed before any byte.",
      )
      .default("this"),
  },
  versions: [
    {
      http2:
        "GOAWAY after the answer, which names the newest stream as the last one; open requests are answered; a request that the client sends before it has read GOAWAY is not processed, and can be sent again (RFC 9113 §8.7); then the connection is closed",
      http1: "the answer has `Connection: close`",
    },
    {
      written: "connection: { kind: goaway, lastStream: before }",
      http2:
        "GOAWAY that names the stream before this one: this request and later ones are not processed; earlier streams are answered; then the connection is closed. If a later one was answered already, GOAWAY names that, and this stream is reset with `REFUSED_STREAM`; so it is if there was no earlier stream, because Node always names one",
      http1: "as `connection: close`",
    },
  ],
  compile: ({ code, lastStream }) => ({ code, lastStream }),
  words: ({ code, lastStream }) =>
    lastStream === "before"
      ? `GOAWAY${withCode(code)} before the request (over HTTP/1.1, the connection is closed)`
      : `GOAWAY${withCode(code)} (over HTTP/1.1, \`Connection: close\`)`,
  leaves: ({ lastStream }) => (lastStream === "before" ? "nothing" : "last-answer"),
  onConnection: ({ code, lastStream }, wire) => wire.goAway(code, lastStream),
});

function withCode(code: string): string {
  return code === "NO_ERROR" ? "" : ` with ${code}`;
}
