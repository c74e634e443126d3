import * as z from "zod";
import type { Fault, GivenFault } from "./fault.js";
import { alter } from "./faults/alter.js";
import { certificate } from "./faults/certificate.js";
import { clock } from "./faults/clock.js";
import { close } from "./faults/close.js";
import { closeAfterAnswer } from "./faults/close-after-answer.js";
import { concurrency } from "./faults/concurrency.js";
import { dead } from "./faults/dead.js";
import { delay } from "./faults/delay.js";
import { drip } from "./faults/drip.js";
import { error } from "./faults/error.js";
import { garbage } from "./faults/garbage.js";
import { goaway } from "./faults/goaway.js";
import { hang } from "./faults/hang.js";
import { page } from "./faults/page.js";
import { rateLimit } from "./faults/rate-limit.js";
import { redirect } from "./faults/redirect.js";
import { reset } from "./faults/reset.js";
import { respond } from "./faults/respond.js";
import { slowHeaders } from "./faults/slow-headers.js";
import { stall } from "./faults/stall.js";
import { streamRefused } from "./faults/stream-refused.js";
import { streamReset } from "./faults/stream-reset.js";
import { token } from "./faults/token.js";
import { truncate } from "./faults/truncate.js";
import { untilClose } from "./faults/until-close.js";

/**
 * Every fault. The documents have them in this order, and several faults of a rule are called in it. It is loaded with
 * the schema, when scenarios are read: a start without scenarios needs neither.
 */
export const faults = [
  clock,
  certificate,
  delay,
  error,
  respond,
  redirect,
  rateLimit,
  concurrency,
  token,
  page,
  alter,
  reset,
  close,
  hang,
  dead,
  truncate,
  garbage,
  drip,
  stall,
  slowHeaders,
  goaway,
  closeAfterAnswer,
  untilClose,
  streamRefused,
  streamReset,
] as const;

const all: readonly Fault[] = faults;

/** The faults in a rule's `then`, in the order of `faults.ts`. */
export function compileFaults(then: Readonly<Record<string, unknown>>): GivenFault[] {
  return all.flatMap((fault) => {
    const written = writtenOf(fault, then[fault.under ?? fault.name]);
    return written === undefined ? [] : [{ fault, settings: fault.compile(written as never) }];
  });
}

/** The settings of a kind that is written as its name alone. */
export function settingsAlone(fault: Fault): unknown {
  return fault.compile(writtenOf(fault, fault.name) as never);
}

/** What is written of a fault; undefined if it is not there, or if another kind is. */
function writtenOf({ name, under, keys = {} }: Fault, value: unknown): unknown {
  if (under === undefined || value === undefined) return value;
  if (value === name) return z.object(keys).parse({});
  return (value as { readonly kind?: unknown }).kind === name ? value : undefined;
}
