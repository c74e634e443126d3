import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { acquireLock } from "../../../src/sandbox/pki/lock.js";
import { temporaryFolder } from "./fixture.js";
import { childProcesses } from "./processes.js";

const start = childProcesses(beforeAll);

afterEach(() => {
  vi.useRealTimers();
});

/** A lock that seems to be held by a process of another machine. */
function foreignLock(directory: string, age = 0): string {
  const path = join(directory, ".lock");
  writeFileSync(path, JSON.stringify({ pid: 1, space: "elsewhere", token: "theirs" }));
  const touched = new Date(Date.now() - age);
  utimesSync(path, touched, touched);
  return path;
}

describe("acquireLock", () => {
  it("has one holder at a time", async () => {
    const directory = temporaryFolder();
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const lock = await acquireLock(directory);
        inside += 1;
        most = Math.max(most, inside);
        await lock.assertHeld();
        inside -= 1;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("waits for a holder on another machine", async () => {
    const directory = temporaryFolder();
    const path = foreignLock(directory);
    const order: string[] = [];
    const waiting = acquireLock(directory).then((lock) => {
      order.push("acquired");
      return lock;
    });
    await expect.poll(() => readdirSync(directory)).toEqual([".lock"]);
    order.push("released");
    rmSync(path);
    await (await waiting).release();
    expect(order).toEqual(["released", "acquired"]);
  });

  it("takes over a lock that has not been touched for a long time, for only one caller", async () => {
    const directory = temporaryFolder();
    foreignLock(directory, 60_000);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const lock = await acquireLock(directory);
        inside += 1;
        most = Math.max(most, inside);
        await lock.assertHeld();
        inside -= 1;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("takes over a lock that is not touched while it waits, whatever the clock says", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const directory = temporaryFolder();
    foreignLock(directory, -3_600_000);
    const waiting = acquireLock(directory);
    const ticking = setInterval(() => vi.advanceTimersByTime(1_000), 5);
    try {
      await (await waiting).release();
    } finally {
      clearInterval(ticking);
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  it("takes over the lock of a process that died on this machine, at once", async () => {
    const directory = temporaryFolder();
    const held = await acquireLock(directory);
    const content = JSON.parse(readFileSync(join(directory, ".lock"), "utf8")) as { pid: number };
    await held.release();
    // No process has this id, because the largest id of Linux and macOS is smaller.
    writeFileSync(join(directory, ".lock"), JSON.stringify({ ...content, pid: 2 ** 30 }));
    vi.useFakeTimers({ toFake: ["performance"] });
    await (await acquireLock(directory)).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("fails after half a minute if the holder is alive, and names the file", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const directory = temporaryFolder();
    const path = foreignLock(directory);
    let age = 0;
    const alive = setInterval(() => {
      age += 1;
      utimesSync(path, new Date(), new Date(Date.now() - age));
      vi.advanceTimersByTime(1_000);
    }, 5);
    try {
      await expect(acquireLock(directory)).rejects.toMatchObject({
        code: "LOCKED",
        message: expect.stringContaining(`remove ${path}`),
      });
    } finally {
      clearInterval(alive);
    }
    expect(existsSync(path)).toBe(true);
  });

  it("is an error if no file can be made", async () => {
    await expect(acquireLock(join(temporaryFolder(), "missing"))).rejects.toMatchObject({ code: "FOLDER_UNUSABLE" });
  });
});

describe("a held lock", () => {
  it("is touched every second", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const directory = temporaryFolder();
    const lock = await acquireLock(directory);
    const path = join(directory, ".lock");
    utimesSync(path, new Date(0), new Date(0));
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(0);
    await lock.release();
  });

  it("detects that it was taken over, and does not remove the new holder's lock", async () => {
    const directory = temporaryFolder();
    const lock = await acquireLock(directory);
    rmSync(join(directory, ".lock"));
    const path = foreignLock(directory);
    await expect(lock.assertHeld()).rejects.toMatchObject({ code: "LOCKED" });
    await lock.release();
    expect(existsSync(path)).toBe(true);
  });

  it.each(["lock", "release"] as const)("is removed when its process ends: %s", async (task) => {
    const directory = temporaryFolder();
    await start(task, directory);
    expect(readdirSync(directory)).toEqual([]);
  });
});
