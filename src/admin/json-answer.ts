import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

export const jsonType = { "Content-Type": "application/json" };

/** An answer of the admin API. It ends its line, so that the prompt of a shell is not behind it. */
export function jsonAnswer(http: Context, value: object, status: ContentfulStatusCode): Response {
  return http.body(`${JSON.stringify(value)}\n`, status, jsonType);
}
