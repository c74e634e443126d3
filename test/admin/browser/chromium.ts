import { existsSync } from "node:fs";

/** Debian's browsers. The first has no windows: a new page costs it a tenth. */
const known = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** One of Debian's browsers, or another Chromium. The ones that playwright downloads are not needed. */
export const chromiumPath: string = process.env["CHROMIUM"] ?? known.find(existsSync) ?? "/usr/bin/chromium";

export const isChromiumThere = existsSync(chromiumPath);
