import { readHeader } from "../connection/raw-headers.js";

/** The trace that a request belongs to, as its client sends it. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** The span that sent the request, 16 hexadecimal digits. */
  readonly parent: string;
  /** Whether the client may have recorded it. */
  readonly sampled: boolean;
}

/** W3C Trace Context §3.2.2. Versions after 00 may have more after a hyphen (§4). */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The header `traceparent` of a request; undefined if it is missing or not valid. */
export function traceOf(rawHeaders: readonly string[]): Trace | undefined {
  const sent = readHeader(rawHeaders, "traceparent");
  if (typeof sent !== "string") return undefined;
  const [, version, id = "", parent = "", flags = "", more] = form.exec(sent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  return { id, parent, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
