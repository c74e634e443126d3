import { defineConfig } from "vitest/config";

/** They start sandboxes and share no other state, so they can share a process and what it has loaded: a third of the time. */
const fromOutside = [
  "test/conformance/**/*.test.ts",
  "test/config/**/*.test.ts",
  "test/assumptions*.test.ts",
  "test/admin/!(guard*).test.ts",
  "test/journal/**/*.test.ts",
];

/** They run the command as it is built. */
const ofTheCommand = [
  "test/cli/**/*.test.ts",
  "test/run/**/*.test.ts",
  "test/doctor/command.test.ts",
  "test/documentation/{commands,mentions}.test.ts",
  "test/package/**/*.test.ts",
];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    // A busy CI machine stalls real sockets and processes now and then; at a desk nothing is tried twice.
    retry: process.env["CI"] ? 1 : 0,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "outside",
          include: fromOutside,
          pool: "threads",
          isolate: false,
          globalSetup: "test/support/certs.ts",
        },
      },
      {
        extends: true,
        test: { name: "command", include: ofTheCommand, pool: "threads", globalSetup: "test/support/build.ts" },
      },
      {
        extends: true,
        test: {
          name: "parts",
          include: ["test/**/*.test.ts"],
          exclude: [...fromOutside, ...ofTheCommand, "**/node_modules/**"],
        },
      },
    ],
  },
});
