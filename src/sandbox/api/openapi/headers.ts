import { grouped } from "../../../base/grouped.js";
import { type AssumptionId, assumptionIds } from "../../assumptions.js";
import { assumedHeader, faultHeader } from "../own-headers.js";
import type { RefusalId } from "../service.js";
import { assumed, type Json, type OpenApiWriter } from "./source.js";

/**
 * The headers that every answer has.
 * @param assumes whether the answer rests on an assumption in any case
 */
export function commonHeaders(writer: OpenApiWriter, assumes = false): Record<string, Json> {
  const { values, header } = writer.assumptions;
  const correlation = {
    description: "The correlation ID of the request, or a new one if the request has none or an invalid one.",
    required: true,
    ...assumed("correlation.header"),
    // A new one is a UUID, whatever format clients must use.
    schema: values["correlation.format"] === "uuid" ? { type: "string", format: "uuid" } : { type: "string" },
  };
  const fault = {
    description: "Only if a scenario had a part in the answer: the fault that acted, for the header Sandbox-Replay.",
    "x-sandbox": true,
    schema: { type: "string", pattern: "^\\S+/\\S+#\\d+;seed=\\S+$" },
  };
  return {
    [values["correlation.header"]]: writer.component("headers", "CorrelationId", correlation),
    ...(header ? { [assumedHeader]: sandboxAssumed(writer, assumes) } : {}),
    [faultHeader]: writer.component("headers", "SandboxFault", fault),
    ...encodingHeaders(writer),
  };
}

function encodingHeaders({ assumptions, component }: OpenApiWriter): Record<string, Json> {
  if (assumptions.values["http.compression"] === "none") return {};
  const header = (name: string, description: string, value: string) =>
    component("headers", name, {
      description,
      ...assumed("http.compression"),
      schema: { type: "string", const: value },
    });
  return {
    "Content-Encoding": header("ContentEncoding", "If the client accepts it (RFC 9110 §8.4.1.3).", "gzip"),
    Vary: header("Vary", "If the answer has a body (RFC 9110 §12.5.5).", "Accept-Encoding"),
  };
}

function sandboxAssumed({ component }: OpenApiWriter, always: boolean): Json {
  const id = assumptionIds.map((each) => each.replaceAll(".", "\\.")).join("|");
  return component("headers", always ? "SandboxAssumed" : "SandboxAssumedWhereSo", {
    description:
      "The assumptions that shaped the answer, the decisive one first: here the interface says nothing, and the sandbox chose.",
    ...(always ? { required: true } : {}),
    "x-sandbox": true,
    schema: { type: "string", pattern: `^(${id})(, (${id}))*$` },
  });
}

/** Headers of the answers that must not be cached: RFC 6749 §5.1. */
export function cacheHeaders({ assumptions, component }: OpenApiWriter, always: boolean): Record<string, Json> {
  if (!assumptions.values["token.cache-headers"]) return {};
  const header = (name: string, value: string) => {
    const description = always ? "RFC 6749 §5.1." : "RFC 6749 §5.1. Absent if the token endpoint was not reached.";
    const definition = {
      description,
      ...(always ? { required: true } : {}),
      ...assumed("token.cache-headers"),
      schema: { type: "string", const: value },
    };
    return component("headers", always ? name : `${name}WhereKnown`, definition);
  };
  return { "Cache-Control": header("CacheControl", "no-store"), Pragma: header("Pragma", "no-cache") };
}

interface RefusalHeader {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** Whether it can be absent. */
  readonly optional?: boolean;
}

const retryAfter: RefusalHeader = {
  name: "Retry-After",
  description: "Seconds to wait (RFC 9110 §10.2.3).",
  schema: { type: "string", pattern: "^\\d+$" },
  optional: true,
};

const challengeHeader = (challenge: string): RefusalHeader => ({
  name: "WWW-Authenticate",
  description: "RFC 6750 §3.",
  schema: { type: "string", const: challenge },
});

/** The headers that come with a refusal, by its basis. */
const ofRefusal: Partial<Record<RefusalId, RefusalHeader>> = {
  "http.method-not-allowed": {
    name: "Allow",
    description: "The methods that the path answers to (RFC 9110 §10.2.1).",
    schema: { type: "string" },
  },
  "http.rate-limit": retryAfter,
  "http.unavailable": retryAfter,
};

/** The headers of the refusals that share a status. A header that not all of them have is not required. */
export function refusalHeaders(
  cases: readonly { readonly id: RefusalId | AssumptionId; readonly challenge: string | undefined }[],
): Record<string, Json> {
  const found = cases.flatMap(({ id, challenge }) => {
    const header = ofRefusal[id as RefusalId];
    const headers = [...(header ? [header] : []), ...(challenge === undefined ? [] : [challengeHeader(challenge)])];
    return headers.map((each) => ({ id: id as AssumptionId, header: each }));
  });
  const headers: Record<string, Json> = {};
  for (const [name, group] of grouped(found, ({ header }) => header.name)) {
    const [first] = group as [(typeof found)[number]];
    const ids = [...new Set(group.map(({ id }) => id))];
    const schemas = [...new Map(group.map(({ header }) => [JSON.stringify(header.schema), header.schema])).values()];
    const required = group.length === cases.length && !first.header.optional;
    headers[name] = {
      description: first.header.description,
      ...(required ? { required } : {}),
      ...assumed(...ids),
      schema:
        schemas.length === 1 ? first.header.schema : { type: "string", enum: schemas.map((schema) => schema["const"]) },
    };
  }
  return headers;
}
