import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import { all, verdictsOfSuite } from "./explored.js";

// Beside programs that use all cores.
const busy = Array.from({ length: availableParallelism() }, () => ["-e", "for (;;) {}"]);
let running: ReturnType<typeof spawn>[] = [];

beforeAll(() => {
  running = busy.map((args) => spawn(process.execPath, args, { stdio: "ignore" }));
});

afterAll(() => {
  for (const each of running) each.kill("SIGKILL");
});

it.each([{ SUITE: "shared" }, { SUITE: "apart" }, { SUITE: "polling" }, { WEAKNESS: "hedging" }])(
  "a correct suite has no finding, at all points with all faults: %j",
  { timeout: 1_800_000 },
  async (env) => {
    const { report } = await verdictsOfSuite(env, "*", "--skip", "*/hang*,*/stall", "--shallow", "999");
    const findings = report.cells.filter(
      ({ counts, verdict }) => counts === "must" || (counts === "should" && verdict !== "gave-up"),
    );
    expect(findings.map(({ point, fault, verdict, message }) => `${point}/${fault} ${verdict} ${message}`)).toEqual([]);
    expect(report.cells.length).toBeGreaterThan(80);
  },
);

it("a suite whose client requests tokens without end has its finding", async () => {
  const cell = "token.first/error-500-always";
  for (const SUITE of ["shared", "apart"]) {
    const { found, counts } = await verdictsOfSuite({ WEAKNESS: "endless-at-token", SUITE }, cell);
    expect({ SUITE, found, counts }).toMatchObject({ found: all("misbehaved", cell), counts: all("must", cell) });
  }
});
