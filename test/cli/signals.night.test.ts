import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { answersWhatIsInFlight, endsWhileIdle, filesIn, leavesNothingBehind } from "./signal-ends.js";

// More of signals.test.ts.

describe("SIGINT", () => {
  it("idle: it says so and ends, status 0", () => endsWhileIdle("SIGINT"));

  it("a request in flight is answered first; no new connection is accepted meanwhile", () =>
    answersWhatIsInFlight("SIGINT"));
});

it.runIf(process.platform !== "win32").each(["SIGQUIT", "SIGUSR2"] as const)(
  "%s, as of nodemon, ends it properly",
  (signal) => endsWhileIdle(signal),
);

describe("SIGTERM in the first moments of a start", () => {
  it.each<[string, (certs: string) => boolean]>([
    ["when the folder exists", (certs) => existsSync(certs)],
    ["when files are published", (certs) => filesIn(certs).includes(".generation-1")],
    ["when a client exists", (certs) => filesIn(join(certs, "clients")).length > 0],
  ])("%s: it ends, and no temporary folder is left", (_when, reached) => leavesNothingBehind(reached));
});
