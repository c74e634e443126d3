import * as z from "zod";
import type { Fault, GivenFault } from "./fault.js";
import { faults } from "./faults.js";

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
