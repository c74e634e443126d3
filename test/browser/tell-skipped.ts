import { chromiumPath, isChromiumThere } from "./chromium.js";

/** Says so where every test in a browser is skipped. */
export default function tellSkipped(): void {
  if (!isChromiumThere)
    process.stdout.write(
      `SKIPPED: every test in a browser. There is no ${chromiumPath}; CHROMIUM names another one.\n`,
    );
}
