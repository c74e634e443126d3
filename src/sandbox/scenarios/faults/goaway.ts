import { defineKind } from "../define-fault.js";
import { http2Code, oneOf } from "../schema-values.js";

export const goaway = defineKind({
  under: "connection",
  name: "goaway",
  description:
    "The answer, and GOAWAY, which names the newest stream as the last one: open requests are answered; one that the client sends before it has read GOAWAY is not processed, and can be sent again (RFC 9113 §8.7); then the connection is closed. Over HTTP/1.1, the answer has `Connection: close`.",
  examples: ["goaway", { kind: "goaway", code: "ENHANCE_YOUR_CALM", lastStream: "before" }],
  keys: {
    code: http2Code.describe("Of GOAWAY.").default("NO_ERROR"),
    lastStream: oneOf(["this", "before"], "last stream")
      .describe(
        "`this`: the request is answered. `before`: GOAWAY names the stream before this one, so that this request and later ones are not processed; if a later one was answered already, or there is no earlier stream, this stream is reset with `REFUSED_STREAM`. Over HTTP/1.1, `before` is as `connection: close`.",
      )
      .default("this"),
  },
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
