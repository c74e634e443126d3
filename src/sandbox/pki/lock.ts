import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, readlinkSync, type Stats, unlinkSync, write, writeSync } from "node:fs";
import { stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readRegularFile, readRegularFileSync } from "../../base/files/regular-file.js";
import { second } from "../../base/text/duration.js";
import { monotonicNow } from "../clock.js";
import { CertsError } from "./certs.js";
import { unusable, unwritable } from "./problems.js";
import type { Lock } from "./staging.js";

/**
 * All in milliseconds. Making every RSA identity takes about a second; the holder's event loop is never blocked for
 * long.
 */
const timing = {
  heartbeat: second,
  staleAfter: 5 * second,
  /** For a lock that is still empty: its holder writes into it within a fraction of a millisecond. */
  emptyStaleAfter: second,
  poll: 40,
  giveUpAfter: 30 * second,
};

/** In bytes. */
const longestLock = 10_000;

/** A lock of another process, as it was seen. */
type Sighting = Pick<Stats, "ino" | "mtimeMs">;

/**
 * Takes the lock of a folder, waiting while another process holds it. A holder touches its file every second. The lock
 * of a crashed process is taken at once on the same machine, where its process id shows that it ended, and elsewhere
 * (in another container, on another machine) after five seconds without a touch. proper-lockfile replaces a stale lock
 * in two steps, so a slower process can remove the lock of a faster one.
 * @throws CertsError when the folder cannot be written, or the lock is held for half a minute
 */
export async function acquireLock(directory: string): Promise<Lock> {
  const path = join(directory, ".lock");
  const deadline = monotonicNow() + timing.giveUpAfter;
  let seen: Sighting | undefined;
  let seenSince = 0;
  for (;;) {
    const lock = create(path);
    if (lock) return lock;
    const present = await stat(path).catch(() => undefined);
    const now = monotonicNow();
    if (!present) {
      seen = undefined;
    } else if (!seen || !same(seen, present)) {
      seen = present;
      seenSince = now;
      if ((await ownerIsDead(path)) || (await isOld(path, present))) await removeStale(path, present);
    } else if (now - seenSince > (present.size === 0 ? timing.emptyStaleAfter : timing.staleAfter)) {
      await removeStale(path, present);
    }
    if (now > deadline) {
      throw new CertsError(
        "LOCKED",
        `Another sandbox has been making certificates in ${directory} for half a minute. If none is running, remove ${path} and every file there whose name begins with it.`,
      );
    }
    await sleep(timing.poll);
  }
}

/** Undefined if the lock already exists. */
function create(path: string): Lock | undefined {
  try {
    return hold(path, openSync(path, "wx", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM and EBUSY: Windows gives these for a file that is being deleted.
    if (code === "EEXIST" || (process.platform === "win32" && (code === "EPERM" || code === "EBUSY"))) return undefined;
    throw unwritable(dirname(path), error);
  }
}

/** Synchronous until `removeAtExit` is registered: no signal can end the process between the steps. */
function hold(path: string, file: number): Lock {
  const content = JSON.stringify({ pid: process.pid, space: processSpace(), token: randomBytes(8).toString("hex") });
  const removeAtExit = (): void => {
    try {
      if (readRegularFileSync(path, longestLock).toString() === content) unlinkSync(path);
    } catch {
      // It was removed already.
    }
  };
  process.once("exit", removeAtExit);
  try {
    writeSync(file, content, 0);
  } catch (error) {
    process.off("exit", removeAtExit);
    closeSync(file);
    unlinkSync(path);
    throw error;
  }
  let touching: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // Through the open file: if another process took the lock, this touches the removed file, not the lock of that
    // process.
    touching = promisify(write)(file, content, 0).catch(() => {});
  }, timing.heartbeat);
  timer.unref();

  const isHeld = async (): Promise<boolean> => (await readLock(path).catch(() => "")) === content;
  return {
    async assertHeld() {
      if (await isHeld()) return;
      throw new CertsError(
        "LOCKED",
        `Another sandbox took ${path}, because this one did nothing for seconds. Start again.`,
      );
    },
    async release() {
      clearInterval(timer);
      await touching;
      closeSync(file);
      if (await isHeld()) await unlink(path).catch(() => {});
      // Only now: the process may exit while it waits.
      process.off("exit", removeAtExit);
    },
  };
}

/**
 * Removes a stale lock. The marker has the name of this one lock, so only one process may remove it; a later process
 * finds another lock and leaves it.
 */
async function removeStale(path: string, stale: Sighting): Promise<void> {
  const marker = `${path}-stale-${stale.ino}-${stale.mtimeMs}`;
  try {
    await writeFile(marker, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw unusable("write", marker, error);
  }
  try {
    const present = await stat(path).catch(() => undefined);
    if (present && same(present, stale)) await unlink(path);
  } catch (error) {
    throw unusable("write", path, error);
  } finally {
    await unlink(marker);
  }
}

/**
 * Whether a lock is stale by the file system's own clock; the clock of this machine may differ from that of a network
 * drive.
 */
async function isOld(path: string, { mtimeMs }: Sighting): Promise<boolean> {
  const probe = `${path}-probe-${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    return (await stat(probe)).mtimeMs - mtimeMs > timing.staleAfter;
  } catch (error) {
    throw unusable("write", probe, error);
  } finally {
    await unlink(probe).catch(() => {});
  }
}

const readLock = async (path: string): Promise<string> => (await readRegularFile(path, longestLock)).toString();

/** Whether the holder ran on this machine and has ended. False if that cannot be known. */
async function ownerIsDead(path: string): Promise<boolean> {
  try {
    const { pid, space } = JSON.parse(await readLock(path)) as { pid?: unknown; space?: unknown };
    if (typeof pid === "number" && space === processSpace()) process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Identifies the set of processes in which a process id is unique: machine, boot and container. */
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
