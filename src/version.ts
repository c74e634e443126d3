import { readFileSync } from "node:fs";

/** The version of this package. Source and build output both lie one folder below `package.json`. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
