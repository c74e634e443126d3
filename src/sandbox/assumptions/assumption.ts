import type * as z from "zod";

/** A point that the interface leaves open. */
interface AssumptionBase {
  /** The section of the interface that leaves the point open. */
  readonly section: string;
  /** The open point, as a short phrase. */
  readonly point: string;
  /** What the sandbox does. */
  readonly choice: string;
  readonly why: string;
  /** Which answers name it in `Sandbox-Assumed`, if it is not only the refusal. */
  readonly named?: string;
  /** The code of §7 of its refusal, if it can refuse with one. The code and its status belong to the interface. */
  readonly refuses?: string;
}

/** A refusal that can be configured: `assumptions: { ID: { status, code, message, wwwAuthenticate } }`. */
interface ErrorAssumption extends AssumptionBase {
  /** A code of `errors.ts` (which checks it). */
  readonly error: string;
  /** Whether it acts only if it is configured. Without that, another refusal has its place. */
  readonly onlyConfigured?: true;
  /** The public message, if it is more exact than the code's. */
  readonly message?: string;
  /** The rule by which such a request is wrong anyway: then only the answer to it is assumed, and not the refusal. */
  readonly wrongBy?: string;
}

/**
 * What schemas are made from: functions of zod, and a text that is not empty. They are passed, because a start does not
 * load zod.
 */
type SchemaParts = {
  readonly z: Pick<typeof z, "boolean" | "enum" | "int" | "json" | "strictObject">;
  readonly text: z.ZodString;
};

/** A choice with a value of its own: `assumptions: { ID: value }`. */
interface ValueAssumption extends AssumptionBase {
  /** The value of a sandbox that configures nothing. */
  readonly value: unknown;
  /** The schema of a value. If it is an object, `sandbox.yaml` may leave out members: they are those of `value`. */
  readonly schema: (parts: SchemaParts) => z.ZodType;
  /** Another value, and its effect. */
  readonly another: { readonly value: unknown; readonly effect: string };
}

/** A choice that another part of the configuration changes, or that is fixed (`key: null`). */
interface OtherAssumption extends AssumptionBase {
  readonly key: string | null;
}

export type Assumption = ErrorAssumption | ValueAssumption | OtherAssumption;
