import { type DrawKey, seedPattern } from "./draw.js";

/** The value of `Sandbox-Fault`, which `Sandbox-Replay` accepts. */
export function faultHandle({ scenario, rule, count, seed }: DrawKey): string {
  return `${scenario}/${rule}#${count};seed=${seed}`;
}

/** @returns undefined if it is not the value of a `Sandbox-Fault` */
export function readFaultHandle(handle: string): DrawKey | undefined {
  const match = /^([A-Za-z0-9._-]+)\/([A-Za-z0-9._-]+)#([1-9]\d{0,14});seed=(.+)$/.exec(handle);
  const [, scenario = "", rule = "", count, seed = ""] = match ?? [];
  return seedPattern.test(seed) ? { scenario, rule, count: Number(count), seed } : undefined;
}
