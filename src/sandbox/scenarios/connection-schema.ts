import * as z from "zod";
import { http2ErrorCodes } from "../connection/http2-error.js";
import { scenarioDefaults } from "./defaults.js";
import { count, duration, oneOf } from "./schema-values.js";

const connectionKinds = {
  reset: "A TCP RST before any byte of the answer.",
  close: "An orderly FIN before any byte of the answer.",
  hang: "No answer until the client gives up; at most 60s, unless a duration says otherwise.",
  truncate:
    "The answer announces its whole length; half of its body arrives, unless `after` says how much, then a RST.",
  garbage: "Bytes that are not HTTP, then a FIN.",
  drip: "The whole answer, its body a piece at a time, over 5s, unless a duration says otherwise.",
  goaway:
    "The answer, and GOAWAY: the connection takes no further request. Over HTTP/1.1 the answer has `Connection: close`.",
} as const;

const http2Code = oneOf(http2ErrorCodes, "error code of HTTP/2");

const kindMessage =
  'give hang or drip with a duration, truncate with after, reset with when, or goaway with code or lastStream; the others stand alone, as in "connection: close"';

/** The schema of `then.connection`. */
export const connection = z
  .union([
    oneOf(Object.keys(connectionKinds) as [keyof typeof connectionKinds], "kind of connection fault").meta({
      enumDescriptions: Object.values(connectionKinds),
    }),
    z.strictObject({
      kind: z.literal("hang", kindMessage).describe("No answer."),
      duration: duration("How long at most; then the connection is closed.").default(scenarioDefaults.hang),
    }),
    z.strictObject({
      kind: z.literal("drip", kindMessage).describe("A body that comes slowly."),
      duration: duration("How long the body takes.").default(scenarioDefaults.drip),
    }),
    z.strictObject({
      kind: z.literal("truncate", kindMessage).describe("An answer that is cut short."),
      after: count
        .describe("The number of bytes of the body that arrive, at most all but one; by default half of them.")
        .optional(),
    }),
    z.strictObject({
      kind: z.literal("reset", kindMessage).describe("A TCP RST."),
      when: z
        .literal("handshake", "the only value is handshake")
        .describe(
          "`handshake`: instead of the server's first byte of TLS. The rule then counts new connections of all clients, acts only while the scenario is active for all, and has no conditions except `after` and `for`.",
        )
        .optional(),
    }),
    z.strictObject({
      kind: z.literal("goaway", kindMessage).describe("GOAWAY."),
      code: http2Code.describe("The error code of GOAWAY.").default(scenarioDefaults.goaway),
      lastStream: oneOf(["this", "before"], "last stream")
        .describe(
          "`this`: the stream of the request is the last one that is answered. `before`: the request is not processed, and can be sent again on another connection; over HTTP/1.1 the connection is closed before any byte.",
        )
        .default("this"),
    }),
  ])
  .meta({
    description:
      "Break the connection, in one of these ways. Over HTTP/2 `hang`, `truncate` and `drip` concern only the stream of the request; `truncate` ends it with RST_STREAM.",
    examples: [
      "reset",
      { kind: "hang", duration: "10s" },
      { kind: "truncate", after: 10 },
      { kind: "reset", when: "handshake" },
      { kind: "goaway", code: "ENHANCE_YOUR_CALM", lastStream: "before" },
    ],
  });

const streamKinds = {
  refused: "REFUSED_STREAM: the request was not processed, and can be sent again. Over HTTP/1.1: `connection: close`.",
  reset: "RST_STREAM with INTERNAL_ERROR, unless `code` says otherwise. Over HTTP/1.1: `connection: reset`.",
} as const;

const streamMessage = "give refused, reset, or reset with code";

/** The schema of `then.stream`. */
export const stream = z
  .union(
    [
      oneOf(Object.keys(streamKinds) as [keyof typeof streamKinds], "kind of stream fault").meta({
        enumDescriptions: Object.values(streamKinds),
      }),
      z.strictObject({
        kind: z.literal("reset", streamMessage).describe("RST_STREAM."),
        code: http2Code.describe("Its error code.").default(scenarioDefaults.streamReset),
      }),
    ],
    streamMessage,
  )
  .meta({
    description:
      "End the stream of HTTP/2 without an answer, in one of these ways. Other streams of the connection go on.",
    examples: ["refused", { kind: "reset", code: "CANCEL" }],
  });
