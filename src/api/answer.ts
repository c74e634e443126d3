import type { AssumptionId } from "../assumptions.js";
import { FastResponse } from "../response.js";
import type { Call } from "./service.js";

/** Statuses whose answers have no body (RFC 9110 §6.4.1). */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** A JSON answer in the shape that the HTTP adapter writes in one go: text and a plain object of headers. Without text, it has no body. */
export function jsonAnswer(
  { service, exchange }: Pick<Call, "service" | "exchange">,
  status: number,
  json: string | null,
  assumed?: AssumptionId,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const { values, header } = service.assumptions;
  const correlation = values["correlation.header"];
  const headers: Record<string, string> = json === null ? {} : { "Content-Type": "application/json" };
  headers[correlation] = exchange.correlationId;
  if (assumed !== undefined && header) headers["Sandbox-Assumed"] = assumed;
  if (exchange.injected !== undefined) headers["Sandbox-Fault"] = exchange.injected;
  if (extraHeaders) Object.assign(headers, extraHeaders);
  exchange.answered(status, headers, json ?? "");
  return new FastResponse(json, { status, headers });
}
