import { existsSync } from "node:fs";

/** Debian's browser, or another Chromium. The ones that playwright downloads are not needed. */
export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const isChromiumThere = existsSync(chromiumPath);
