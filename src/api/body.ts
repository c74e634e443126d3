import { Refusal } from "../journal/refusal.js";
import { readHeader } from "./headers.js";
import { type Parameters, parseParameters } from "./parameters.js";
import type { Call } from "./service.js";

/**
 * Reads the form of a token request (§4.1), of at most `bodyLimit` bytes.
 * @throws Refusal for another content type, or a body that is too large
 */
export async function readForm(call: Call): Promise<Parameters> {
  const sent = readHeader(call.exchange.rawHeaders, "content-type");
  if (!isForm(sent)) {
    throw new Refusal(
      "token.media-type",
      { kind: "media-type", sent: typeof sent === "string" ? sent : undefined },
      { message: "The body must be sent as application/x-www-form-urlencoded." },
    );
  }
  call.body ??= readText(call);
  const text = await call.body.catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal("BAD_REQUEST", {
      kind: "protocol",
      reason: "The connection was closed in the middle of the body.",
    });
  });
  return parseParameters(text);
}

function isForm(contentType: ReturnType<typeof readHeader>): boolean {
  const type = typeof contentType === "string" ? contentType.split(";", 1)[0]?.trim().toLowerCase() : undefined;
  return type === "application/x-www-form-urlencoded";
}

/** Reads the text of the body ahead of the step that needs it. What is wrong with it is that step's to tell. */
export async function peekText(call: Call): Promise<void> {
  call.body ??= readText(call);
  call.peekedText = await call.body.catch(() => "");
}

/** The form that was read ahead; empty where none was sent. */
export function peekForm({ exchange, peekedText }: Call): Parameters {
  return parseParameters(isForm(readHeader(exchange.rawHeaders, "content-type")) ? peekedText : "");
}

/** Reading in one go is several times faster than a stream; it is safe where the length is announced, because the parser holds the client to it. */
async function readText({ request, exchange, service: { bodyLimit } }: Call): Promise<string> {
  const announced = readHeader(exchange.rawHeaders, "content-length");
  if (typeof announced === "string") {
    if (Number(announced) > bodyLimit) throw tooLarge(bodyLimit);
    return request.text();
  }
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > bodyLimit) {
      // Let go of the stream without cancelling it: the adapter drains the rest, so that the client can read the answer.
      reader.releaseLock();
      throw tooLarge(bodyLimit);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal("http.payload-too-large", { kind: "body-too-large", limit });
}
