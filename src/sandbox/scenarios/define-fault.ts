import type * as z from "zod";
import type { Fault, FaultGroup } from "./fault.js";

// What the files in `faults/` begin with. The types keep names and schemas, so that the type of `then` follows from
// them.

/** A fault with a key of its own in `then`. */
export interface KeyFault<Name extends string = string, Schema extends z.ZodType = z.ZodType> extends Fault {
  readonly name: Name;
  readonly under: undefined;
  readonly schema: Schema;
}

/** A kind of connection or stream fault. */
export interface KindFault<
  Under extends FaultGroup = FaultGroup,
  Name extends string = string,
  Keys extends z.ZodRawShape | undefined = z.ZodRawShape | undefined,
> extends Fault {
  readonly name: Name;
  readonly under: Under;
  readonly keys: Keys;
}

/** Declares a fault with a key of its own in `then`. */
export function defineFault<const Name extends string, Schema extends z.ZodType, Settings>(
  fault: Omit<Fault<Settings>, "under" | "keys" | "schema" | "compile"> & {
    readonly name: Name;
    /** The value of its key. */
    readonly schema: Schema;
    compile(written: z.output<Schema>): Settings;
  },
): KeyFault<Name, Schema> {
  return { ...fault, under: undefined, keys: undefined };
}

/** Declares a kind of connection or stream fault without settings, written as its name alone: `connection: reset`. */
export function definePlainKind<const Under extends FaultGroup, const Name extends string>(
  fault: Omit<Fault<undefined>, "acts" | "schema" | "keys" | "compile" | "examples"> & {
    readonly name: Name;
    readonly under: Under;
  },
): KindFault<Under, Name, undefined> {
  const rest = { schema: undefined, keys: undefined, examples: [fault.name], compile: () => undefined };
  return { ...fault, acts: "always", ...rest };
}

/** Declares a kind of connection or stream fault with settings: its name alone, or `{ kind: drip, duration: 5s }`. */
export function defineKind<
  const Under extends FaultGroup,
  const Name extends string,
  const Keys extends z.ZodRawShape,
  Settings,
>(
  fault: Omit<Fault<Settings>, "acts" | "schema" | "keys" | "compile"> & {
    readonly name: Name;
    readonly under: Under;
    /** The keys besides `kind`. Each has a default, or is optional. */
    readonly keys: Keys;
    compile(written: z.output<z.ZodObject<Keys>>): Settings;
  },
): KindFault<Under, Name, Keys> {
  return { ...fault, acts: "always", schema: undefined };
}
