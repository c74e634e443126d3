import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Watch } from "../../../src/base/files/watch.js";
import { afterTest } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "watch-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Counts the notices about a path. */
async function watching(path: string): Promise<() => number> {
  let notices = 0;
  const watch = new Watch(
    path,
    () => {
      notices += 1;
    },
    5,
  );
  afterTest(() => watch.close());
  await watch.ready;
  return () => notices;
}

type Change = (path: string) => void;

it.each<[string, Change, Change]>([
  ["a file is made in a folder", mkdirSync, (path) => writeFileSync(join(path, "a"), "1")],
  [
    "a file of a folder is written with the same size",
    (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "a"), "1");
    },
    (path) => writeFileSync(join(path, "a"), "2"),
  ],
  [
    "a file of a folder is replaced by a rename",
    (path) => {
      mkdirSync(path);
      for (const name of ["a", "b"]) writeFileSync(join(path, name), "1");
    },
    (path) => renameSync(join(path, "b"), join(path, "a")),
  ],
  [
    "a link in a folder leads to another file",
    (path) => {
      mkdirSync(path);
      for (const name of ["1", "22"]) writeFileSync(`${path}-${name}`, name);
      symlinkSync(`${path}-1`, join(path, "a"));
    },
    (path) => {
      unlinkSync(join(path, "a"));
      symlinkSync(`${path}-22`, join(path, "a"));
    },
  ],
  ["a folder is made", () => {}, mkdirSync],
  ["a folder is removed", mkdirSync, (path) => rmSync(path, { recursive: true })],
  ["a file is made", () => {}, (path) => writeFileSync(path, "1")],
  ["a file is written", (path) => writeFileSync(path, "1"), (path) => writeFileSync(path, "22")],
  ["a file is removed", (path) => writeFileSync(path, "1"), unlinkSync],
])("notices once that %s", async (_name, before, change) => {
  const path = join(emptyFolder(), "watched");
  before(path);
  const notices = await watching(path);
  change(path);
  await eventually(() => notices() > 0);
  expect(notices()).toBe(1);
});

it("notices nothing once it is closed, or where nothing changes", async () => {
  const folder = emptyFolder();
  const still = await watching(emptyFolder());
  const open = await watching(folder);
  const closed = new Watch(folder, () => expect.unreachable(), 5);
  await closed.ready;
  closed.close();
  for (const expected of [1, 2, 3]) {
    writeFileSync(join(folder, `${expected}`), "x");
    await eventually(() => open() === expected);
  }
  expect(still()).toBe(0);
});
