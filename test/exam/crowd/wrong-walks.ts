import type { Drawn } from "./crowd.js";
import type { ReadAnswer } from "./messages.js";
import type { Task } from "./traits.js";
import { Worker } from "./worker.js";
import type { Steps } from "./world.js";
import {
  all,
  beyondDoubt,
  calm,
  type Facts,
  longList,
  onOneConnection,
  ownWalk,
  tooMany,
  type WrongClient,
  walkTask,
  withFault,
  withTask,
} from "./wrong-client.js";

type Walk = Task & { kind: "walk" };

const walk = all(withTask(walkTask), longList);
/** Its time-outs give up nothing. */
const patient = (drawn: Drawn): Drawn => ({ ...drawn, traits: { ...drawn.traits, timeout: undefined } });
const refusedCursor = { kind: "error", status: 400, code: "INVALID_CURSOR" } as const;

/** A worker whose walks end in another way. */
function ending(isLast: (answer: ReadAnswer, page: number) => boolean) {
  return (facts: Facts) =>
    class extends Worker {
      override isLast(answer: ReadAnswer, task: Walk, page: number): boolean {
        if (super.isLast(answer, task, page)) return true;
        if (!isLast(answer, page)) return false;
        facts.steps += 1;
        return true;
      }
    };
}

/** A worker that takes the end of a walk for another one. */
function taking(other: "refused" | "failed") {
  return (facts: Facts) =>
    class extends Worker {
      override *pages(task: Walk): Steps<"whole" | "refused" | "failed"> {
        const end = yield* super.pages(task);
        if (end !== other) return end;
        facts.steps += 1;
        return "whole";
      }
    };
}

/** Clients that walk lists in a wrong way. Those whose check asks for a finished client end with 0. */
export const wrongWalks: readonly WrongClient[] = [
  {
    fails: "list.empty-page",
    how: "ends a walk at an empty page",
    meets: all(walk, withFault({ kind: "empty-page" }, { walk: ownWalk, page: 2 })),
    isFinished: true,
    worker: ending(({ page }) => page?.rows === 0),
  },
  {
    fails: "list.complete",
    how: "ends a walk after two pages",
    meets: all(walk, calm),
    isFinished: true,
    worker: ending((_answer, page) => page === 2),
  },
  {
    fails: "list.lost-page",
    how: "takes a page that failed for the end",
    meets: all(
      walk,
      patient,
      withFault({ kind: "error", status: 503, code: "SERVICE_UNAVAILABLE" }, { walk: ownWalk, page: 3 }),
    ),
    isFinished: true,
    worker: taking("failed"),
  },
  {
    fails: "list.begun-again",
    how: "takes a refused cursor for the end",
    meets: all(walk, withFault(refusedCursor, { walk: ownWalk, page: 3 })),
    isFinished: true,
    worker: taking("refused"),
  },
  {
    fails: "list.restarts",
    how: "begins a walk again without end",
    meets: all(walk, withFault(refusedCursor, { walk: ownWalk, page: 2 })),
    worker: (facts) =>
      class extends Worker {
        override beginsAgain(): boolean {
          facts.steps += 1;
          return facts.steps < tooMany(facts);
        }
      },
    enough: tooMany,
  },
  {
    fails: "list.restart",
    how: "sends a refused cursor again and again",
    meets: all(walk, withFault(refusedCursor, { walk: ownWalk, page: 2 })),
    worker: (facts) =>
      class extends Worker {
        override isTransient(answer: ReadAnswer, request: Parameters<Worker["isTransient"]>[1]): boolean {
          const isWrong = answer.code === "INVALID_CURSOR" && facts.steps < beyondDoubt;
          if (isWrong) facts.steps += 1;
          return isWrong || super.isTransient(answer, request);
        }

        override mayRetry(...given: Parameters<Worker["mayRetry"]>): boolean {
          const [reply] = given;
          const isWrong = reply.kind === "answer" && reply.answer.code === "INVALID_CURSOR";
          return isWrong || super.mayRetry(...given);
        }
      },
    enough: () => beyondDoubt,
  },
  {
    fails: "list.loop",
    how: "reads the same page again and again",
    meets: all(walk, calm, onOneConnection),
    worker: (facts) =>
      class extends Worker {
        override *call(request: Parameters<Worker["call"]>[0]): ReturnType<Worker["call"]> {
          for (let again = 0; request.walk?.cursor !== undefined && again < 3; again++) {
            const answer = yield* super.call(request);
            if (answer?.page !== undefined) facts.steps += 1;
          }
          return yield* super.call(request);
        }
      },
    enough: () => 3,
  },
];
