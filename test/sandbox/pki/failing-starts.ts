import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CertsError } from "../../../src/sandbox/pki/certs.js";
import { FailingFiles } from "../../support/failing-files.js";
import { day, openWhole, snapshot, TestClock, temporaryFolder } from "./fixture.js";
import { expectConsistent, type situations } from "./kills.js";

/**
 * Lets file operations of a start fail, each alone: the first one, and then one of so many. The folder is as before
 * then, or complete, and the next start completes it.
 * @param whole makes a complete folder
 */
export async function failStarts(
  situation: (typeof situations)[number],
  whole: () => string,
  { first, every }: { readonly first: number; readonly every: number },
): Promise<void> {
  const isNew = situation === "creation";
  for (let place = first; ; place += every) {
    const directory = isNew ? join(temporaryFolder(), "certs") : whole();
    const clock = new TestClock();
    if (situation === "renewal") clock.instant += 396.5 * day;
    const options = { clock, fresh: situation === "fresh-certs" };
    const before = isNew ? {} : snapshot(directory);
    const files = new FailingFiles();
    files.failAt(place);
    const outcome = await openWhole(directory, { ...options, files: files.operations }).catch(
      (error: unknown) => error,
    );
    const failed = files.work();
    const where = `${place}: ${failed}`;
    if (outcome instanceof Error) {
      expect(outcome, where).toBeInstanceOf(CertsError);
      expect(outcome.message, where).toMatch(/^Cannot (read|write) \S+\/certs\S*: /);
    }
    // A first start, and a renewal, publish twice: what the server needs, then the misfits.
    if (!isNew) expectConsistent(directory);
    const isUnchanged = !existsSync(directory) || JSON.stringify(snapshot(directory)) === JSON.stringify(before);
    const isWhole = !isUnchanged && existsSync(join(directory, "server.pem"));
    expect([where, isUnchanged || isWhole]).toEqual([where, true]);
    const certs = await openWhole(directory, { clock });
    expectConsistent(directory);
    if (!(outcome instanceof Error)) expect([where, certs.caPem]).toEqual([where, (outcome as typeof certs).caPem]);
    if (failed.length === 0) return;
  }
}
