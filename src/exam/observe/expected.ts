import { readHeader } from "../../sandbox/connection/raw-headers.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";

/** The header in which a request names the error codes that it provokes on purpose, separated by commas. */
const header = "sandbox-expected";

/** The code of the answer, if the request said that it expects it. */
export function expectedCode({ rawHeaders, code, delivered }: Exchange): string | undefined {
  if (code === undefined || delivered !== true) return undefined;
  const value = readHeader(rawHeaders, header);
  if (typeof value !== "string") return undefined;
  return value.split(",").some((each) => each.trim() === code) ? code : undefined;
}
