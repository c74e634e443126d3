import { defineConfig } from "vitest/config";
import { chromiumPath, isChromiumThere } from "./test/browser/chromium.js";
import { patience } from "./test/support/patience.js";

if (!isChromiumThere) {
  process.stdout.write(`SKIPPED: every test in a browser. There is no ${chromiumPath}; CHROMIUM names another one.\n`);
}

/** Tests of the dashboard in a real browser: `npm run test:browser`, after a build. */
export default defineConfig({
  test: {
    setupFiles: ["test/support/setup.ts"],
    include: ["test/browser/**/*.browser.ts"],
    testTimeout: 2 * patience,
    hookTimeout: 2 * patience,
    expect: { poll: { timeout: patience } },
    // A browser has enough to do on two cores.
    maxWorkers: 1,
  },
});
