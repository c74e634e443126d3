import type { AssumptionId } from "../assumptions.js";
import { FastResponse } from "../response.js";
import type { Call } from "./service.js";

/** A JSON answer in the shape that the HTTP adapter writes in one go: text and a plain object of headers. */
export function jsonAnswer(
  { service, exchange }: Pick<Call, "service" | "exchange">,
  status: number,
  json: string,
  assumed?: AssumptionId,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const { values, header } = service.assumptions;
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    [values["correlation.header"]]: exchange.correlationId,
  };
  if (assumed !== undefined && header) headers["Sandbox-Assumed"] = assumed;
  if (exchange.injected !== undefined) headers["Sandbox-Fault"] = exchange.injected;
  if (extraHeaders) Object.assign(headers, extraHeaders);
  exchange.answered(status, headers, json);
  return new FastResponse(json, { status, headers });
}
