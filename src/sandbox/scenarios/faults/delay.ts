import * as z from "zod";
import { longestDelay } from "../defaults.js";
import { defineFault } from "../define-fault.js";
import { type DrawKey, draw } from "../draw.js";
import { duration, milliseconds } from "../schema-values.js";
import { time } from "../words.js";

/** Milliseconds. */
type Delay =
  | { readonly kind: "fixed"; readonly duration: number }
  | { readonly kind: "uniform"; readonly min: number; readonly max: number }
  | { readonly kind: "lognormal"; readonly median: number; readonly sigma: number; readonly max: number };

/** A lognormal delay without a bound would sometimes last for minutes. */
const longestTail = 20;

export const delay = defineFault({
  name: "delay",
  description:
    "Hold the answer back: a fixed time, a uniform draw, or a lognormal one; at most 2 minutes. It can be combined with any other fault.",
  examples: ["200ms", { min: "100ms", max: "300ms" }, { median: "1s", sigma: 0.5, max: "10s" }],
  schema: z.union(
    [
      duration("A fixed delay."),
      z
        .strictObject({
          min: duration("The shortest."),
          max: duration("The longest."),
        })
        .describe("Uniform:"),
      z
        .strictObject({
          median: duration("Half of the delays are shorter."),
          sigma: z
            .number("give a number")
            .min(0, "give a number from 0 on")
            .max(5, "give at most 5")
            .describe("The spread: 0.3 is a steady service, 1 has a long tail."),
          max: duration("The longest; by default 20 times the median.").optional(),
        })
        .describe("Lognormal, like real services, mostly short and sometimes long:"),
    ],
    'give a duration such as "500ms", { min, max }, or { median, sigma, max }',
  ),
  acts: "always",
  takesTime: true,
  compile(written): Delay {
    if (typeof written === "string") return { kind: "fixed", duration: milliseconds(written) };
    if ("min" in written) return { kind: "uniform", min: milliseconds(written.min), max: milliseconds(written.max) };
    const median = milliseconds(written.median);
    const max = written.max === undefined ? Math.min(median * longestTail, longestDelay) : milliseconds(written.max);
    return { kind: "lognormal", median, sigma: written.sigma, max };
  },
  problem: (set) =>
    set.kind === "uniform" && set.min > set.max ? "The delay's min is longer than its max." : undefined,
  words: (set) => `a delay of ${lengthInWords(set)}`,
  delay: lengthOf,
});

/** How long a delay is, in milliseconds. The same key always gives the same length. */
function lengthOf(set: Delay, key: DrawKey): number {
  if (set.kind === "fixed") return set.duration;
  if (set.kind === "uniform") return set.min + (set.max - set.min) * draw(key, "delay");
  // Box and Muller: two uniform draws make a normal one.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(key, "delay")));
  const normal = radius * Math.cos(2 * Math.PI * draw(key, "delay-angle"));
  return Math.min(set.median * Math.exp(set.sigma * normal), set.max);
}

function lengthInWords(set: Delay): string {
  if (set.kind === "fixed") return time(set.duration);
  if (set.kind === "uniform") return `${time(set.min)} to ${time(set.max)}`;
  return `about ${time(set.median)}, at most ${time(set.max)}`;
}
