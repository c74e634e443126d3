import type { AssumptionId, AssumptionSettings } from "../assumptions.js";
import type { Exchange } from "../journal/exchange.js";

/** Statuses whose answers have no body (RFC 9110 §6.4.1). */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The headers of JSON answers, but for the correlation ID, by the assumption that they rest on.
 */
export class JsonHeaders {
  readonly correlation: string;
  readonly #plain: Readonly<Record<string, string>>;
  readonly #assumed = new Map<AssumptionId, Readonly<Record<string, string>>>();
  readonly #namesAssumptions: boolean;

  constructor({ values, header }: Pick<AssumptionSettings, "values" | "header">) {
    this.correlation = values["correlation.header"];
    this.#namesAssumptions = header;
    this.#plain = { "Content-Type": "application/json", [this.correlation]: "" };
  }

  /** Without a correlation ID, for which there is a place. */
  of(assumed: AssumptionId | undefined): Readonly<Record<string, string>> {
    if (assumed === undefined || !this.#namesAssumptions) return this.#plain;
    let headers = this.#assumed.get(assumed);
    if (headers === undefined) {
      headers = { ...this.#plain, "Sandbox-Assumed": assumed };
      this.#assumed.set(assumed, headers);
    }
    return headers;
  }
}

/** What an answer is made from. A `Call` has it. */
interface Answering {
  readonly service: { readonly jsonHeaders: JsonHeaders };
  readonly exchange: Exchange;
}

/** A JSON answer as the server writes it in one go: text and a plain object of headers. Without text, it has no body. */
export function jsonAnswer(
  { service, exchange }: Answering,
  status: number,
  json: string | null,
  assumed?: AssumptionId,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const { correlation } = service.jsonHeaders;
  const headers: Record<string, string> = {
    ...service.jsonHeaders.of(assumed),
    [correlation]: exchange.correlationId,
  };
  if (json === null) delete headers["Content-Type"];
  if (exchange.injected !== undefined) headers["Sandbox-Fault"] = exchange.injected;
  if (extraHeaders) Object.assign(headers, extraHeaders);
  exchange.answered(status, headers, json ?? "");
  return new Response(json, { status, headers });
}
