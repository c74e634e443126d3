import { objectIn } from "../base/text/json-object.js";
import { keys } from "./keys.js";
import { ForeignStateError } from "./redis.js";

/** An entry of the log: a command, its number in the log, and the token of the call that requested it. */
interface LogEntry {
  readonly number: number;
  readonly token: string;
  readonly command: object;
}

/** @throws ForeignStateError if no replica wrote it */
export function entryIn([position, fields]: readonly [string, readonly string[]], where: string): LogEntry {
  const [, number, , text] = fields;
  const members = objectIn(text ?? "");
  if (members === undefined || !/^\d+$/.test(number ?? ""))
    throw new ForeignStateError(where, `the entry ${position} of ${keys.log}`);
  const { token, ...command } = members;
  return { number: Number(number), token: typeof token === "string" ? token : "", command };
}
