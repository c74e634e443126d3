import { chromiumPath, isChromiumThere } from "./chromium.js";

/** Reports it if every test in a browser is skipped. */
export default function tellSkipped(): void {
  if (!isChromiumThere)
    process.stdout.write(
      `SKIPPED: every test in a browser. There is no ${chromiumPath}; CHROMIUM names another one.\n`,
    );
}
