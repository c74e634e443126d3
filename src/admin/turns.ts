import { monotonicNow } from "../sandbox/clock.js";

/** How long pieces of work may run in one turn of the event loop, in milliseconds: requests wait at most this long. */
const turnTime = 10;

/** Does one piece of work, which takes a few milliseconds at most. @returns whether there is more to do */
type Work = () => boolean;

/** In the order of their turns. All sandboxes of a process share one event loop, and so one queue. */
const waiting = new Set<Work>();
let isScheduled = false;
/** When the present turn must end, on the monotonic clock. */
let end = 0;

/**
 * Does long work piece by piece, in turn with other work. Requests are served between the pieces.
 * @returns a promise that resolves at the end of the work; an error of a piece ends the work and rejects the promise
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

/** Resolves in a turn in which no other piece runs after it: for work of a few milliseconds that cannot be divided. */
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
  // The loop also visits work that is added again, after all other work.
  for (const work of waiting) {
    waiting.delete(work);
    if (work()) waiting.add(work);
    if (monotonicNow() >= end) break;
  }
  schedule();
}
