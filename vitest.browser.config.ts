import { defineConfig } from "vitest/config";
import { patience } from "./test/support/patience.js";

/** Tests of the dashboard in a real browser: `npm run test:browser`, after a build. */
export default defineConfig({
  test: {
    tags: [
      {
        name: "night",
        description: "A test that takes long: `npm run test:browser` and `npm run night`, but not `npm run test:all`.",
      },
    ],
    setupFiles: ["test/support/setup.ts", "test/support/preload.ts", "test/admin/browser/setup.ts"],
    globalSetup: "test/admin/browser/tell-skipped.ts",
    include: ["test/admin/browser/**/*.browser.ts"],
    testTimeout: 2 * patience,
    hookTimeout: 2 * patience,
    expect: { poll: { timeout: patience } },
    // A browser has enough to do on two cores.
    maxWorkers: 1,
    // The files share what they have loaded.
    isolate: false,
  },
});
