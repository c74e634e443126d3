import { defineConfig } from "vitest/config";

// `payments-sandbox run --report`, `exam` and `explore` read which tests failed from this file (docs/guide/explore.md).
const file = process.env["SANDBOX_JUNIT"];

// Concurrent tests of one file run at the same time, as many as this.
export default defineConfig({
  test: {
    reporters: file ? ["default", ["junit", { outputFile: file }]] : ["default"],
    maxConcurrency: 100,
    testTimeout: 30_000,
  },
});
