import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, readlinkSync, unlinkSync, write, writeSync } from "node:fs";
import { stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { monotonicNow } from "../clock.js";
import { readRegularFile, readRegularFileSync } from "../regular-file.js";
import { CertsError } from "./certs.js";
import { unusable } from "./staging.js";

/** The right to write in a folder, held by one process at a time. */
export interface Lock {
  /** @throws CertsError when the lock was taken over, because this process stood still for seconds */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/** All in milliseconds. Making every RSA identity takes about a second; the holder's event loop is never blocked for long. */
const timing = {
  heartbeat: 1_000,
  staleAfter: 5_000,
  /** Of a lock in which nothing is written yet: that takes its holder a fraction of a millisecond. */
  emptyStaleAfter: 1_000,
  poll: 40,
  giveUpAfter: 30_000,
};

const lockName = ".lock";

/** Most bytes of the lock's file. */
const longestLock = 10_000;

interface Sighting {
  readonly ino: number;
  readonly mtimeMs: number;
}

/**
 * Takes the lock of a folder, waiting while another process holds it. A holder touches its file every second. One that
 * crashed is found out at once on this machine, by its process id, and after five seconds without a touch everywhere
 * else (another container, another machine on a network drive).
 *
 * Written here because of what libraries do when two processes find the same stale lock: proper-lockfile removes it and
 * makes its own in two steps, so that the slower of the two removes the new lock of the faster one.
 * @throws CertsError when the folder cannot be written, or the lock is held for half a minute
 */
export async function acquireLock(directory: string): Promise<Lock> {
  const path = join(directory, lockName);
  const givenUp = monotonicNow() + timing.giveUpAfter;
  let seen: Sighting | undefined;
  let seenSince = 0;
  for (;;) {
    const lock = create(path);
    if (lock) return lock;
    const sighting = await stat(path).catch(() => undefined);
    const now = monotonicNow();
    if (!sighting) {
      seen = undefined;
    } else if (!seen || !same(seen, sighting)) {
      seen = { ino: sighting.ino, mtimeMs: sighting.mtimeMs };
      seenSince = now;
      if ((await ownerIsDead(path)) || (await isOld(directory, sighting))) await takeAway(path, seen);
    } else if (now - seenSince > (sighting.size === 0 ? timing.emptyStaleAfter : timing.staleAfter)) {
      await takeAway(path, seen);
    }
    if (now > givenUp) {
      throw new CertsError(
        "LOCKED",
        `Another sandbox has been making certificates in ${directory} for half a minute. If none is running, remove ${path} and every file there whose name begins with it.`,
      );
    }
    await sleep(timing.poll);
  }
}

const writeTo = promisify(write);

/** Makes the file, and what removes it at the exit, without a moment between in which a signal could end the process. */
function create(path: string): Lock | undefined {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM and EBUSY: how Windows calls a file that is just being deleted.
    if (code === "EEXIST" || (process.platform === "win32" && (code === "EPERM" || code === "EBUSY"))) return undefined;
    throw unusable("write", path, error);
  }
  return hold(path, file);
}

function hold(path: string, file: number): Lock {
  const content = JSON.stringify({ pid: process.pid, space: processSpace(), token: randomBytes(8).toString("hex") });
  const removeAtExit = (): void => {
    try {
      if (readRegularFileSync(path, longestLock).toString() === content) unlinkSync(path);
    } catch {
      // It is gone.
    }
  };
  process.once("exit", removeAtExit);
  try {
    writeSync(file, content, 0);
  } catch (error) {
    process.off("exit", removeAtExit);
    closeSync(file);
    unlinkSync(path);
    throw unusable("write", path, error);
  }
  let touching: Promise<unknown> = Promise.resolve();
  // Through the open file: after a take-over this touches the file that was taken away, not the new holder's.
  const touch = (): Promise<unknown> => writeTo(file, content, 0);
  const timer = setInterval(() => {
    touching = touch().catch(() => {});
  }, timing.heartbeat);
  timer.unref();

  const isHeld = async (): Promise<boolean> => (await readLock(path).catch(() => "")) === content;
  return {
    async assertHeld() {
      if (await isHeld()) return;
      throw new CertsError("LOCKED", `Another sandbox took ${path} over while this one stood still. Start again.`);
    },
    async release() {
      clearInterval(timer);
      process.off("exit", removeAtExit);
      await touching;
      closeSync(file);
      if (await isHeld()) await unlink(path).catch(() => {});
    },
  };
}

/**
 * Removes a stale lock. Its marker is named after that very lock, so of all who judged it stale one alone may remove it,
 * and whoever comes late finds another lock in its place and leaves it.
 */
async function takeAway(path: string, stale: Sighting): Promise<void> {
  const marker = `${path}-stale-${stale.ino}-${stale.mtimeMs}`;
  try {
    await writeFile(marker, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw unusable("write", marker, error);
  }
  try {
    const present = await stat(path).catch(() => undefined);
    if (present && same(present, stale)) {
      await unlink(path).catch((error) => {
        throw unusable("write", path, error);
      });
    }
  } finally {
    await unlink(marker);
  }
}

/** Whether a lock is stale by the file system's own clock; this machine's may differ from a network drive's. */
async function isOld(directory: string, { mtimeMs }: Sighting): Promise<boolean> {
  const probe = join(directory, `${lockName}-probe-${randomBytes(8).toString("hex")}`);
  try {
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    return (await stat(probe)).mtimeMs - mtimeMs > timing.staleAfter;
  } catch (error) {
    throw unusable("write", probe, error);
  } finally {
    await unlink(probe).catch(() => {});
  }
}

async function readLock(path: string): Promise<string> {
  return (await readRegularFile(path, longestLock)).toString();
}

/** Whether the holder ran on this machine and is gone. False when that cannot be known. */
async function ownerIsDead(path: string): Promise<boolean> {
  try {
    const { pid, space } = JSON.parse(await readLock(path)) as { pid?: unknown; space?: unknown };
    if (typeof pid !== "number" || space !== processSpace()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Names the set of processes in which a process id means something: machine, boot and container. */
function processSpace(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function same(one: Sighting, another: Sighting): boolean {
  return one.ino === another.ino && one.mtimeMs === another.mtimeMs;
}
