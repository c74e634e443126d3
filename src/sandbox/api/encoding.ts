import { gzipSync } from "node:zlib";
import { acceptsGzip } from "../../base/text/accept-encoding.js";
import type { AnswerHeaders } from "../connection/header-names.js";
import { indexHeaders } from "../connection/raw-headers.js";
import { headersOfResponse, withHeaders } from "./headers.js";
import type { Call } from "./service.js";

/**
 * An answer in the form in which it is sent: compressed if the assumption `http.compression` and the request allow it
 * (RFC 9110 §8.4.1.3). An answer that has an encoding already stays as it is.
 */
export function encode(
  { service, exchange }: Pick<Call, "service" | "exchange">,
  response: Response,
): Response | Promise<Response> {
  if (service.assumptions.values["http.compression"] === "none" || response.body === null) return response;
  if (response.headers.has("Content-Encoding")) return response;
  const accepted = indexHeaders(exchange.rawHeaders).get("accept-encoding")?.join(",");
  return response.arrayBuffer().then((whole) => {
    const varied = withHeaders<AnswerHeaders[string]>({ Vary: "Accept-Encoding" }, exchange.answerHeaders ?? {});
    const isPacked = whole.byteLength > 0 && acceptsGzip(accepted);
    const body = isPacked ? gzipSync(whole) : Buffer.from(whole);
    const packed = { "Content-Encoding": "gzip", "Content-Length": String(body.length) };
    const headers = isPacked ? withHeaders<AnswerHeaders[string]>(varied, packed) : varied;
    exchange.encoded(headers, body.length);
    return new Response(body, { status: response.status, headers: headersOfResponse(headers) });
  });
}
