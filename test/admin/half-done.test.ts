import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { temporaryFolder } from "../sandbox/pki/fixture.js";
import { copyFolder } from "../support/copy-folder.js";
import { FailingFiles } from "../support/failing-files.js";
import { start } from "./fixture.js";
import { calls, failForGood, failOnce, failToFinish, Tried } from "./half-done.js";

// All of them: half-done.night.test.ts.
const every = 18;
const places = { first: 1 + Math.floor(Math.random() * every), every };

describe.each(Object.entries(calls))("%s", { tags: "slow" }, (_name, call) => {
  it("changes everything or nothing if a file operation fails, and says which", () => failOnce(call, places));

  it("leaves what a start or the next call completes if a file operation fails for good", () =>
    failForGood(call, places));
});

it(
  "the end of a held rotation moves files or says which it has not, whichever file operation fails for good",
  { tags: "slow" },
  () => failToFinish(),
);

it("a start that renews all clients, and can renew only the first, says which it has renewed", async () => {
  const certs = join(temporaryFolder(), "certs");
  copyFolder(inject("wholeCerts") ?? "", certs);
  const files = new FailingFiles();
  // The start makes the folder, and a rotation one for what it builds, and three in it.
  files.failFrom(6, "mkdirSync");
  const settings = { certs, hostCerts: certs, keyType: "ec", scenario: "certificate-near-its-end" } as const;
  await expect(start(settings, { files: files.operations })).rejects.toThrow(
    /makes new certificates: Before that, (\w+) got new ones\. (?!\1)\w+: Cannot write \S+: no space is left .* Nothing has changed\.$/,
  );
});

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
