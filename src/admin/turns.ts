import { monotonicNow } from "../clock.js";

/** How long pieces of work are done in one turn of the event loop, in milliseconds: requests wait no longer for them. */
const turnTime = 10;

/** Does a small piece of some work, of a few milliseconds at most. @returns whether there is more to do */
type Work = () => boolean;

/** In the order in which they have their turns. All sandboxes of a process have one event loop, and so one queue. */
const waiting = new Set<Work>();
let isScheduled = false;
/** When the present turn has taken its time, as a monotonic reading. */
let end = 0;

/**
 * Does work that may take long, piece by piece, in turn with other work. Requests are served between the pieces.
 * @returns a promise that resolves at its end, and rejects with what a piece throws, which ends it
 */
export function doInTurns(work: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.add(() => {
      try {
        if (work()) return true;
        resolve();
      } catch (error) {
        reject(error);
      }
      return false;
    });
    schedule();
  });
}

/** Resolves in a turn in which no other piece is done after it: for what takes a few milliseconds and cannot be divided. */
export function ownTurn(): Promise<void> {
  return doInTurns(() => {
    end = 0;
    return false;
  });
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) return;
  isScheduled = true;
  setImmediate(turn);
}

function turn(): void {
  isScheduled = false;
  end = monotonicNow() + turnTime;
  // The loop comes to what is added again, after all others.
  for (const work of waiting) {
    waiting.delete(work);
    if (work()) waiting.add(work);
    if (monotonicNow() >= end) break;
  }
  schedule();
}
