import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calls, failForGood, failOnce, failToFinish, Tried } from "./half-done.js";

// All of them: half-done.night.test.ts.
const every = 18;
const places = { first: 1 + Math.floor(Math.random() * every), every };

describe.each(Object.entries(calls))("%s", { tags: "slow" }, (_name, call) => {
  it("changes everything or nothing if a file operation fails, and says which", () => failOnce(call, places));

  it("leaves what a start or the next call completes if a file operation fails for good", () =>
    failForGood(call, places));
});

it("the end of a held rotation moves files or says which it has not, whichever file operation fails for good", () =>
  failToFinish());

it("files that cannot be moved to their places are named; the next call moves them", async () => {
  const tried = await Tried.start(calls["POST /clients/demo/rotate"]);
  // The first rename decides.
  tried.files.failFrom(2, "renameSync");
  const { status, message } = await tried.post("/clients/demo/rotate", {});
  const files = ["key.pem", "identity.pem", "client.p12", "cert.pem"].map((file) =>
    join(tried.certs, "clients/demo", file),
  );
  expect([status, message]).toEqual([
    503,
    `The change is made. Cannot write ${files.join(", ")}: no space is left (ENOSPC). The files for it are in .generation-3. The next start, or the next call that writes here, moves them.`,
  ]);
  expect((await tried.ping()).status).not.toBe(200);
  tried.files.work();
  expect((await tried.post("/server/next-ca", {})).status).toBe(200);
  expect((await tried.ping()).status).toBe(200);
});
