import type { Condition, GivenCondition } from "./condition.js";
import { after } from "./conditions/after.js";
import { attempt } from "./conditions/attempt.js";
import { certificate } from "./conditions/certificate.js";
import { client } from "./conditions/client.js";
import { cursor } from "./conditions/cursor.js";
import { forTime } from "./conditions/for.js";
import { form } from "./conditions/form.js";
import { headers } from "./conditions/headers.js";
import { http } from "./conditions/http.js";
import { list } from "./conditions/list.js";
import { method } from "./conditions/method.js";
import { operation } from "./conditions/operation.js";
import { page } from "./conditions/page.js";
import { query } from "./conditions/query.js";
import { reusedConnection } from "./conditions/reused-connection.js";
import { token } from "./conditions/token.js";

/**
 * Every condition. The documents have them in this order, and they are tested in it: those that have to open a cursor
 * come last. It is loaded with the schema, when scenarios are read.
 */
export const conditions = [
  operation,
  method,
  http,
  reusedConnection,
  list,
  client,
  certificate,
  token,
  query,
  headers,
  form,
  cursor,
  page,
  attempt,
  after,
  forTime,
] as const;

const all: readonly Condition[] = conditions;

/** The conditions of a `when` or `from`. */
export function compileConditions(written: Readonly<Record<string, unknown>>): GivenCondition[] {
  return all.flatMap((condition) => {
    const value = written[condition.name];
    if (value === undefined) return [];
    const compiled = condition.compile ? condition.compile(value as never, written) : value;
    return [{ condition, value: compiled, holds: condition.holds }];
  });
}
