import { durationForm, parseDuration } from "../../base/text/duration.js";
import { quote } from "../../base/text/printable.js";
import { SettingError } from "../../sandbox/config/settings.js";

/** Longest time of a timer of Node, in milliseconds. */
const longestTime = 2 ** 31 - 1;

/** @throws SettingError */
export function wholeNumberOf(flag: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new SettingError(`${flag} is ${quote(text)}; give a whole number from 1 to 9999.`);
}

/**
 * @returns milliseconds
 * @throws SettingError
 */
export function timeOf(flag: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds <= 0 || milliseconds > longestTime)
    throw new SettingError(`${flag} is ${quote(text)}; give ${durationForm}, more than 0 and at most 24d.`);
  return milliseconds;
}

/** The words of a flag that may be given several times, each time with several words between commas. */
export function wordsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(",")).filter((word) => word !== "");
}
