import { createInterface } from "node:readline/promises";
import { counted } from "../../base/text/numbers.js";
import { placeOf } from "../../library/base-url.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { isLoopback } from "../../sandbox/connection/addresses.js";
import type { Inputs } from "./inputs.js";

/**
 * Asks whether requests may be sent to a host that is not this machine.
 * @param most number of requests, at most
 * @returns whether they may
 * @throws SettingError when there is no terminal to ask on
 */
export async function confirmed({ url, limits }: Inputs, yes: boolean, most: number): Promise<boolean> {
  if (yes || isOnThisMachine(url)) return true;
  const what = `calibrate sends at most ${counted(most, "request")} to ${url.host}, ${limits.rate} a second`;
  if (process.stdin.isTTY !== true)
    throw new SettingError(`${what}. Give --yes to permit it, or --dry-run to see them.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input and Ctrl+C count as no.
  prompt.on("SIGINT", () => prompt.close());
  const closed = new Promise<string>((resolve) => prompt.once("close", () => resolve("")));
  const answer = await Promise.race([prompt.question(`${what}. Type yes to go on: `), closed]);
  prompt.close();
  if (answer.trim() === "yes") return true;
  process.stderr.write("Nothing was sent.\n");
  return false;
}

function isOnThisMachine(url: URL): boolean {
  const { host } = placeOf(url);
  return host === "localhost" || isLoopback(host);
}
