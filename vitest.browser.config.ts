import { defineConfig } from "vitest/config";
import { chromiumPath, isChromiumThere } from "./test/browser/chromium.js";

if (!isChromiumThere) {
  process.stdout.write(`SKIPPED: every test in a browser. There is no ${chromiumPath}; CHROMIUM names another one.\n`);
}

/** Tests of the dashboard in a real browser: `npm run test:browser`, after a build. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.browser.ts"],
    testTimeout: 30_000,
    // A busy CI machine stalls real sockets and processes now and then; at a desk nothing is tried twice.
    retry: process.env["CI"] ? 1 : 0,
    hookTimeout: 60_000,
    // A browser has enough to do on two cores.
    maxWorkers: 1,
  },
});
