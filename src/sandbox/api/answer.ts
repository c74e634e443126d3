import type { AssumptionSettings } from "../assumptions.js";
import type { Mark } from "./mark.js";
import { assumedHeader, faultHeader } from "./own-headers.js";
import type { Call } from "./service.js";

/**
 * A JSON answer that the server can write in one call: text and a plain object of headers. Without text, it has no
 * body.
 * @param assumed the assumptions that shaped it, as `markOf` writes them; undefined for none
 */
export function jsonAnswer(
  { service, exchange }: Pick<Call, "service" | "exchange">,
  status: number,
  json: string | null,
  assumed?: Mark,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const length = json === null ? undefined : Buffer.byteLength(json);
  const ignored = exchange.unknownParameters.length > 0 ? "request.unknown-parameters" : undefined;
  const mark = ignored && assumed ? `${assumed}, ${ignored}` : (ignored ?? assumed);
  const headers = firstHeaders(service.assumptions, exchange.correlationId, json !== null, mark);
  if (exchange.injected !== undefined) headers[faultHeader] = exchange.injected;
  if (length !== undefined) headers["Content-Length"] = String(length);
  if (extraHeaders) Object.assign(headers, extraHeaders);
  exchange.answered(status, headers, json ?? "", length);
  return new Response(json, { status, headers });
}

/**
 * The first headers of an answer.
 * @param isJson whether it has a body
 * @param mark the assumptions that shaped it, as `markOf` writes them; undefined for none
 */
export function firstHeaders(
  { values, header }: AssumptionSettings,
  correlationId: string,
  isJson: boolean,
  mark: string | undefined,
): Record<string, string> {
  // Not a copy by spread: on Node 20, V8 gives such a copy a hidden class of its own as soon as a name is added.
  const headers: Record<string, string> = {};
  if (isJson) headers["Content-Type"] = "application/json";
  headers[values["correlation.header"]] = correlationId;
  if (mark !== undefined && header) headers[assumedHeader] = mark;
  return headers;
}
