import { objectIn } from "../../base/text/json-object.js";
import { readHeader, repeated } from "../connection/raw-headers.js";
import { Refusal } from "../journal/refusal.js";
import type { Parameters } from "../lists/problems.js";
import { parseParameters } from "./parameters.js";
import type { Call } from "./service.js";

/**
 * Reads the form of a token request (§4.1), of at most `bodyLimit` bytes.
 * @throws Refusal for another content type, charset or coding, or a body that is too large
 */
export async function readForm(call: Call): Promise<Parameters> {
  const sent = sentOnce(call, "content-type");
  const isJson = isAcceptedJson(call);
  if (!isForm(sent) && !isJson) throw new Refusal("token.media-type", { kind: "media-type", sent });
  const coding = readHeader(call.exchange.rawHeaders, "content-encoding");
  // RFC 9110 §8.4.1: `identity` means that there is no coding.
  if (coding !== undefined && (coding === repeated || coding.trim().toLowerCase() !== "identity")) {
    throw new Refusal(
      "token.media-type",
      { kind: "content-coding", sent: coding === repeated ? undefined : coding },
      { message: "The body must be sent without a content coding." },
    );
  }
  call.body ??= readText(call);
  const text = await call.body.catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    const reason = "The connection was closed in the middle of the body.";
    throw new Refusal("BAD_REQUEST", { kind: "protocol", reason });
  });
  return isJson ? membersOf(text) : parseParameters(text);
}

/** Whether the body is announced as JSON, and may be: the assumption `token.json-body`. */
export function isAcceptedJson(call: Call): boolean {
  if (call.service.assumptions.values["token.json-body"] !== "accept") return false;
  return /^application\/json\s*(;|$)/i.test(sentOnce(call, "content-type")?.trim() ?? "");
}

/**
 * The members of a JSON object as the parameters of a form.
 * @throws Refusal for any other text
 */
function membersOf(text: string): Parameters {
  const object = objectIn(text);
  if (object === undefined)
    throw new Refusal(
      "token.media-type",
      { kind: "media-type", sent: "application/json" },
      { message: "The body is not a JSON object." },
    );
  return new Map(
    Object.entries(object).map(([name, value]) => [name, [typeof value === "string" ? value : JSON.stringify(value)]]),
  );
}

/** Reads the text of the body before the step that needs it. That step reports what is wrong with it. */
export async function peekText(call: Call): Promise<void> {
  call.body ??= readText(call);
  call.peekedText = await call.body.catch(() => "");
}

/**
 * Reads the form for journal and exam, next to an answer that does not wait for it. They get it only if it arrives in
 * time.
 */
export async function noteForm(call: Call): Promise<void> {
  const form = await readForm(call).catch(() => undefined);
  const text = await call.body?.catch(() => undefined);
  // Node discards a body after the answer. It reads as an empty text then.
  const isWhole = text !== undefined && String(Buffer.byteLength(text)) === sentOnce(call, "content-length");
  const { exchange } = call;
  if (isWhole && exchange.form === undefined && !Object.isFrozen(exchange)) exchange.formRead(form);
}

/** The value of a header; undefined if it was not sent, or more than once. */
function sentOnce({ exchange }: Call, name: string): string | undefined {
  const value = readHeader(exchange.rawHeaders, name);
  return value === repeated ? undefined : value;
}

/** The form that was read ahead; empty if none was sent. */
export function peekForm(call: Call): Parameters {
  return parseParameters(isForm(sentOnce(call, "content-type")) ? call.peekedText : "");
}

/** The media type of a form (RFC 1866 §8.2.1), in UTF-8 if a charset is named; other parameters are ignored. */
function isForm(contentType = ""): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/x-www-form-urlencoded" &&
    parameters.every((each) => !/^charset\s*=/.test(each) || /^charset\s*=\s*"?utf-8"?$/.test(each))
  );
}

/**
 * Reading the body at once is several times faster than a stream. It is safe if the length is announced: the parser
 * enforces it.
 */
async function readText(call: Call): Promise<string> {
  const { request, exchange, service } = call;
  const { bodyLimit } = service;
  const announced = sentOnce(call, "content-length");
  if (announced !== undefined) {
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
      // Releases the stream without cancelling it: the adapter drains the rest, so that the client can read the answer.
      // Over HTTP/1.1 it closes the connection soon after.
      reader.releaseLock();
      throw tooLarge(bodyLimit, exchange.stream === undefined ? { Connection: "close" } : {});
    }
    text += decoder.decode(value, { stream: true });
  }
}

function tooLarge(limit: number, headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal("http.payload-too-large", { kind: "body-too-large", limit }, { headers });
}
