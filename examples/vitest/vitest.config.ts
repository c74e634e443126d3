import { defineConfig } from "vitest/config";

// Concurrent tests of one file run at the same time, as many as this.
export default defineConfig({ test: { maxConcurrency: 100, testTimeout: 30_000 } });
