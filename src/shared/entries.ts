import { keys } from "./keys.js";
import { ForeignStateError } from "./redis.js";

/** What every replica of one set has in common, decided by the first. */
export interface Facts {
  /** Another one for each log. */
  readonly log: string;
  /** What scenarios draw from. */
  readonly seed: string;
  /** Thumbprint of the CA. */
  readonly ca: string;
}

/** An entry of the log: a command, the number that it has there, and the token of whoever asked for it. */
interface LogEntry {
  readonly number: number;
  readonly token: string;
  readonly command: object;
}

/** What one replica tells the others: a question or an answer, with its token, or how far it is. */
interface Signal {
  readonly ask?: string;
  readonly token?: string;
  readonly by?: string;
  readonly applied?: string;
}

/** @throws ForeignStateError */
export function factsIn(text: unknown, where: string): Facts {
  const { log, seed, ca } = objectIn(text) ?? {};
  if (typeof log !== "string" || typeof seed !== "string" || typeof ca !== "string")
    throw new ForeignStateError(where, keys.facts);
  return { log, seed, ca };
}

/** @throws ForeignStateError */
export function entryIn([position, fields]: readonly [string, readonly string[]], where: string): LogEntry {
  const [, number, , text] = fields;
  const members = objectIn(text);
  if (members === undefined || !/^\d+$/.test(number ?? ""))
    throw new ForeignStateError(where, `the entry ${position} of ${keys.log}`);
  const { token, ...command } = members;
  return { number: Number(number), token: typeof token === "string" ? token : "", command };
}

/** @returns undefined for one that no replica has written: it concerns nobody */
export function signalIn([, fields]: readonly [string, readonly string[]]): Signal | undefined {
  const members = objectIn(fields[1]);
  return members && Object.values(members).every((value) => typeof value === "string") ? members : undefined;
}

function objectIn(text: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
