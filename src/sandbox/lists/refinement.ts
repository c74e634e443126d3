import type * as z from "zod";

/** Reports what is wrong with a value, or with a member of it. */
export type Report = (path: readonly PropertyKey[], message: string) => void;

/** A refinement that may report several problems. */
export function refinement<Value>(check: (value: Value, report: Report) => void) {
  return (value: Value, context: z.core.$RefinementCtx) =>
    check(value, (path, message) => context.addIssue({ code: "custom", path: [...path], message }));
}

/** A refinement by a function that says what is wrong with the value as a whole, if anything is. */
export function unless<Value>(problemOf: (value: Value) => string | undefined) {
  return refinement<Value>((value, report) => {
    const problem = problemOf(value);
    if (problem !== undefined) report([], problem);
  });
}
