import type * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import type { fileSchema } from "../sandbox/config/schema.js";

// The package has no dependencies: in its declarations, scripts/package-types.ts writes these types out.

type Written = Frozen<z.input<typeof fileSchema>>;

/** The keys of `sandbox.yaml` that are options of the library, as they are written there. */
export type FileOptions = Omit<Written, "$schema" | "answers" | "assumptions">;

export type ClientOptions = NonNullable<Written["clients"]>[number];
