import type { Delay } from "./definition.js";
import { type DrawKey, draw } from "./draw.js";

/** How long a delay is, in milliseconds. The same key always gives the same length. */
export function lengthOf(delay: Delay, key: DrawKey): number {
  if (delay.kind === "fixed") return delay.duration;
  if (delay.kind === "uniform") return delay.min + (delay.max - delay.min) * draw(key, "delay");
  // Box and Muller: two uniform draws make a normal one.
  const radius = Math.sqrt(-2 * Math.log(1 - draw(key, "delay")));
  const normal = radius * Math.cos(2 * Math.PI * draw(key, "delay-angle"));
  return Math.min(delay.median * Math.exp(delay.sigma * normal), delay.max);
}
