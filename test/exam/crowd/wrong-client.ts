import type { CheckId } from "../../../src/exam/checks.js";
import type { Level } from "../../../src/exam/finding.js";
import type { Drawn, Run, WorkerClass } from "./crowd.js";
import { type Fault, fairWeather, type Rule } from "./faults.js";
import type { Task } from "./traits.js";

/** What is known of a run with a wrong client. */
export interface Facts {
  /** How many requests of a method and a target the same client sends without faults. */
  readonly usual: (request: string) => number;
  /** How many requests it sends without faults. */
  readonly total: number;
  /** How often the wrong step happened. */
  steps: number;
}

/** A client that is correct but for one thing, in one of its workers or in what they share. */
export interface WrongClient {
  readonly fails: CheckId;
  /** Whether it fails as a must. Left out: at any level. */
  readonly level?: Level;
  readonly how: string;
  /** What is drawn otherwise, so that the wrong step can happen. */
  readonly meets?: (drawn: Drawn) => Drawn;
  /** The class of the wrong worker. It counts its wrong steps. */
  readonly worker: (facts: Facts) => WorkerClass;
  /** Whether its check asks for a client that has finished. */
  readonly isFinished?: boolean;
  /** Whether a run shows the wrong step; left out if the worker knows. */
  readonly isShown?: (run: Run) => boolean;
  /** How many wrong steps prove it; one, unless others of the client could have sent the same. */
  readonly enough?: (facts: Facts, drawn: Drawn) => number;
}

/** Which worker is the wrong one. */
export function wrongWorker({ seed, traits }: Drawn): number {
  return seed % traits.workers;
}

/** One fault for all requests, or for those of an operation. */
export function withFault(fault: Fault, rule: Partial<Rule> = {}): (drawn: Drawn) => Drawn {
  const usual = { operation: undefined, page: undefined, after: 0, limit: Number.POSITIVE_INFINITY, likelihood: 1 };
  return (drawn) => ({ ...drawn, weather: { ...fairWeather, rules: [{ ...usual, ...rule, fault }] } });
}

/** Gives the wrong worker something to do first. */
export function withTask(task: Task): (drawn: Drawn) => Drawn {
  return (drawn) => ({
    ...drawn,
    work: drawn.work.map((tasks, worker) => (worker === wrongWorker(drawn) ? [task, ...tasks] : tasks)),
  });
}

/** A walk of several pages, which no other worker walks. */
export const walkTask: Task = {
  kind: "walk",
  list: "payments",
  filters: "status=pending",
  pageSize: 7,
  upTo: undefined,
};
export const ownWalk = "payments status=pending";

export const longList = (drawn: Drawn): Drawn => ({ ...drawn, rows: 30 });

/** Several changes of what is drawn, one after the other. */
export function all(...changes: readonly ((drawn: Drawn) => Drawn)[]): (drawn: Drawn) => Drawn {
  return (drawn) => changes.reduce((changed, change) => change(changed), drawn);
}

/** More than other workers could have sent without knowing. */
export const beyondDoubt = 40;

/** More than twice for each request that the client sends without faults, and for each that it may repeat. */
export const tooMany = ({ total }: Facts): number => 2 * total + 20;

/** No fault at all. */
export const calm = (drawn: Drawn): Drawn => ({ ...drawn, weather: fairWeather });

/** A client with one worker. */
export const alone = (drawn: Drawn): Drawn => ({
  ...drawn,
  traits: { ...drawn.traits, workers: 1, processes: 1 },
  work: drawn.work.slice(0, 1),
});

/** Machines that never stop: its repetitions come in time, and no time-out gives up an answer. */
export const quick = (drawn: Drawn): Drawn => {
  const traits = { ...drawn.traits, busyClient: 0, busySandbox: 0, timeout: undefined };
  return { ...drawn, traits: { ...traits, network: { ...traits.network, lost: 0 } } };
};

/** It gives up after a few attempts. */
export const bounded = (drawn: Drawn): Drawn => {
  const { retry } = drawn.traits;
  return { ...drawn, traits: { ...drawn.traits, retry: { ...retry, most: Math.min(retry.most, 5) } } };
};

/** Over a network that takes no time, what is repeated at once comes at once. */
export const nearby = (drawn: Drawn): Drawn => ({
  ...drawn,
  traits: { ...drawn.traits, network: { ...drawn.traits.network, latency: 0.1, jitter: 0.1, lost: 0 } },
});

/** Over HTTP/1.1, on the same connection as long as it is open, and without a time-out that gives up an answer. */
export const onOneConnection = (drawn: Drawn): Drawn => ({
  ...drawn,
  traits: { ...drawn.traits, version: 1, connections: 1, timeout: undefined, keepAlive: true },
});

/** Over HTTP/2, one request at a time, and without a time-out that gives up an answer. */
export const overHttp2 = (drawn: Drawn): Drawn => ({
  ...alone(drawn),
  traits: { ...alone(drawn).traits, version: 2, timeout: undefined },
});
