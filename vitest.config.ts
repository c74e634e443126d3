import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patience } from "./test/support/patience.js";

/**
 * They install packages, run what documents and examples say, or try further cases that take seconds: `npm run
 * test:all`, and not `npm test`.
 */
const slow = "test/**/*.slow.test.ts";

/** They try every case where others try some: `npm run night`. */
const night = "test/**/*.night.test.ts";

/** They put something in the place of a module, or look at the memory or the handles of their process. */
const alone = ["test/admin/guard-timing.test.ts", "test/sandbox/tls/close.test.ts"];

/**
 * They run a second time over HTTP/2, in `npm run test:all`: what its streams, frames and headers could change, and a
 * refusal of each kind.
 */
const overHttp2 = [
  "test/sandbox/conformance/a-{certificate-ends,token-is-bound-*,token-travels-*}.test.ts",
  "test/sandbox/conformance/{answers-are-*,bodies-*,forwarded-*,other-methods-*,pages-say-*,paths-*,ping-*,the-correlation-*}.test.ts",
  "test/sandbox/assumptions*.test.ts",
  "test/sandbox/scenarios/built-in.test.ts",
];

const elsewhere = ["**/node_modules/**", slow, night];

/** They build the command, and run beside each other in threads. */
const slowly = {
  pool: "threads" as const,
  globalSetup: ["test/support/build.ts", "test/support/certs.ts"],
};

/**
 * The files of a project one after the other, so that a worker keeps what it has loaded. The projects share the
 * workers: none is idle while the last files of a project run. The project with the most small files comes last.
 */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ["alone", "parts", "slow", "http2", "night"];
    const placeOf = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  test: {
    // `npm test` leaves them out, `npm run test:slow` runs them. A file that has no others is named `*.slow.test.ts`.
    tags: [{ name: "slow", description: "A test that takes a third of a second or more, in a file with quick ones." }],
    // A test has several steps. Each has its patience, and says what it waited for.
    testTimeout: 5 * patience,
    hookTimeout: 5 * patience,
    expect: { poll: { timeout: patience } },
    // One more than cores: tests wait as often as they work.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: ByProject },
    setupFiles: ["test/support/setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...elsewhere],
          // They share a process and what it has loaded: a third of the time.
          isolate: false,
          setupFiles: ["test/support/preload.ts"],
          globalSetup: ["test/support/build.ts", "test/support/certs.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: {
          name: "http2",
          sequence: { groupOrder: 2 },
          include: overHttp2,
          exclude: elsewhere,
          pool: "threads",
          isolate: false,
          setupFiles: ["test/support/preload.ts"],
          globalSetup: "test/support/certs.ts",
          env: { TEST_HTTP_VERSION: "HTTP/2" },
        },
      },
      {
        extends: true,
        test: {
          ...slowly,
          name: "slow",
          isolate: false,
          setupFiles: ["test/support/preload.ts"],
          sequence: { groupOrder: 1 },
          include: [slow],
        },
      },
      // In processes: some run a command in their own, with its folder.
      { extends: true, test: { ...slowly, pool: "forks", name: "night", include: [night] } },
    ],
  },
});
