import * as z from "zod";
import { thousands } from "../text/numbers.js";

// The schemas of values that all files of YAML have, with messages for people.

/** The other rules of an empty text are not checked. */
export const text = z.string("give a text").min(1, { error: "give a text that is not empty", abort: true });

/** A whole number in a range. The error message names the range. */
export function wholeNumber(from: number, to: number) {
  const message = `give a whole number from ${thousands(from)} to ${thousands(to)}`;
  return z.int(message).min(from, message).max(to, message);
}
