import type { Random } from "../../fuzz/random.js";
import { longestStop, type NetworkSpeed, span } from "./world.js";

/** How a client repeats what failed. */
interface RetryTraits {
  /** `told`: only what comes with Retry-After. `untold`: only what comes without. */
  readonly what: "nothing" | "told" | "untold" | "both";
  /** Attempts at one call, the first one included. */
  readonly most: number;
  /** The first pause, in milliseconds, and by what each later one is longer. */
  readonly first: number;
  readonly factor: number;
  /** A part of each pause is random: from 0 to 1. */
  readonly jitter: number;
  /** A longer Retry-After, in milliseconds, is an error for the caller. */
  readonly longestWait: number;
  /** Whether the library itself sends again at once what failed without a byte on a connection that was used before. */
  readonly resends: boolean;
}

/** What a client is like. All of it is correct. */
export interface Traits {
  readonly workers: number;
  /** Processes of the operating system. Each has its own state. */
  readonly processes: number;
  readonly version: 1 | 2;
  readonly protocol: "TLSv1.2" | "TLSv1.3";
  /** For HTTP/1.1: how many connections a pool has. For HTTP/2: one connection. */
  readonly connections: number;
  /** Whether each worker has a pool of its own. */
  readonly ownPools: boolean;
  readonly keepAlive: boolean;
  /** Whether a request may take any connection that becomes idle while one is opened for it. */
  readonly races: boolean;
  readonly takesNewest: boolean;
  /** Milliseconds; undefined without a limit. From the call, waits for a connection included, or from the sending. */
  readonly timeout: number | undefined;
  readonly timeoutFrom: "call" | "sending";
  readonly retry: RetryTraits;
  readonly correlation: "none" | "attempt" | "call";
  readonly token: {
    readonly shared: boolean;
    /** Whether workers that need a token at the same time share one request for it. */
    readonly oneRequest: boolean;
    /** The part of the lifetime after which it is renewed; undefined: only after a 401. */
    readonly renewAt: number | undefined;
    readonly renewOn401: boolean;
    /** Whether every attempt of a call takes the token that is present then. */
    readonly forEachAttempt: boolean;
  };
  readonly certificate: {
    readonly readAt: "connection" | "refusal" | "time" | "never";
    readonly interval: number;
    /** Whether the token of the old certificate is kept, until its refusal. */
    readonly keepsToken: boolean;
  };
  readonly walks: {
    /** How often a walk is begun again after a refusal of its cursor. */
    readonly restarts: number;
    readonly startsWithFilters: boolean;
  };
  /** Whether a worker goes on with its next call after an error. */
  readonly goesOn: boolean;
  /** When a worker asks for a token once more, and throws it away: a check whether the login works. */
  readonly checksLogin: "never" | "start" | "middle";
  /** How likely it is that the machine of the client, or of the sandbox, stops after a step. */
  readonly busyClient: number;
  readonly busySandbox: number;
  /** How long a machine stops at most, in milliseconds. */
  readonly stop: number;
  readonly network: NetworkSpeed;
}

export function drawTraits(random: Random): Traits {
  const workers = random.pick([1, 1, 1, 2, 2, 3, 4, 5, 8, 16]);
  const version = random.chance(0.3) ? 2 : 1;
  const network = {
    latency: random.pick([0.05, 0.1, 0.5, 5, 40]),
    jitter: random.pick([0.1, 1, 10]),
    lost: random.pick([0, 0, 0, 0.005, 0.02]),
  };
  const connections = random.pick([1, 2, 2, 3, 4, 8]);
  const timeoutFrom = random.pick(["call", "sending"] as const);
  const inQueue = timeoutFrom === "call" ? Math.ceil(workers / connections) : 1;
  const timeout = drawTimeout(random, network, inQueue);
  // Over HTTP/2, nobody sees that a client gives up an answer that has arrived: it waits for longer than everything
  // stops together.
  const stop = Math.min(longestStop, (timeout ?? Number.POSITIVE_INFINITY) / 5);
  return {
    workers,
    processes: workers > 1 && random.chance(0.2) ? random.between(2, Math.min(4, workers)) : 1,
    version,
    protocol: random.chance(0.95) ? "TLSv1.3" : "TLSv1.2",
    connections,
    ownPools: random.chance(0.3),
    keepAlive: random.chance(0.85),
    races: random.chance(0.5),
    takesNewest: random.chance(0.5),
    timeout,
    timeoutFrom,
    retry: drawRetry(random),
    correlation: random.pick(["none", "attempt", "call"] as const),
    token: {
      shared: random.chance(0.75),
      oneRequest: random.chance(0.7),
      ...random.pick([
        { renewAt: 0.8, renewOn401: true },
        { renewAt: 0.5, renewOn401: true },
        { renewAt: 0.9, renewOn401: false },
        { renewAt: undefined, renewOn401: true },
      ]),
      forEachAttempt: random.chance(0.5),
    },
    certificate: {
      readAt: random.pick(["connection", "connection", "refusal", "time", "never"] as const),
      interval: span(random, 100, 2000),
      keepsToken: random.chance(0.4),
    },
    walks: { restarts: random.pick([0, 1, 1, 2]), startsWithFilters: random.chance(0.5) },
    goesOn: random.chance(0.6),
    checksLogin: "never",
    busyClient: random.pick([0, 0, 0.002, 0.01, 0.05]),
    busySandbox: random.pick([0, 0, 0.002, 0.01]),
    stop,
    network: { ...network, longest: stop },
  };
}

/** Some clients are of a kind: they stop at the first failure, wait long, or check their login first. */
export function ofKind(seed: number, random: Random, traits: Traits): Traits {
  const kind = seed % 20;
  if (kind === 0)
    return {
      ...traits,
      retry: { ...traits.retry, what: "nothing", most: 1, resends: false },
      token: { ...traits.token, renewOn401: false },
      walks: { ...traits.walks, restarts: 0 },
      goesOn: false,
    };
  if (kind === 1)
    return {
      ...traits,
      timeout: random.pick([8000, 30_000, undefined]),
      retry: { ...traits.retry, what: "both", most: 10, first: random.pick([250, 1000, 5000]), factor: 2 },
    };
  if (kind === 2) return { ...traits, checksLogin: random.pick(["start", "middle"] as const) };
  return traits;
}

/** A client does not give up sooner than the network needs, for the requests that wait before its own as well. */
function drawTimeout(
  random: Random,
  { latency, jitter }: Omit<NetworkSpeed, "longest">,
  inQueue: number,
): number | undefined {
  const timeout = random.pick([undefined, undefined, 100, 250, 500, 1000, 2000, 5000]);
  return timeout && Math.max(timeout, 10 * (latency + jitter) * inQueue);
}

function drawRetry(random: Random): RetryTraits {
  // Many attempts whose pauses grow are bounded as well.
  if (random.chance(0.08)) {
    const growing = { factor: random.pick([1.3, 1.5, 2]), jitter: random.pick([0, 0.5, 1]) };
    return { what: "both", most: random.between(12, 16), first: 100, ...growing, longestWait: 60_000, resends: false };
  }
  const what = random.pick(["nothing", "told", "untold", "both", "both", "both"] as const);
  return {
    what,
    most: what === "nothing" ? 1 : random.between(2, 5),
    first: random.pick([20, 100, 150, 200, 500]),
    factor: random.pick([1, 1.5, 2, 2]),
    jitter: random.pick([0, 0.2, 0.5]),
    longestWait: random.pick([1000, 5000, 60_000]),
    resends: random.chance(0.3),
  };
}

/** One thing that a program does. */
export type Task =
  | { readonly kind: "ping" | "sample-error" }
  /** @param upTo how many pages are read: all, or only the first */
  | {
      readonly kind: "walk";
      readonly list: string;
      readonly filters: string;
      readonly pageSize: number;
      readonly upTo: 1 | undefined;
    };

/** The work of each worker: often the same as that of others. */
export function drawWork(random: Random, { workers }: Traits): readonly (readonly Task[])[] {
  const longest = workers > 8 ? 2 : workers > 3 ? 3 : 6;
  const usual = drawTasks(random, random.between(1, longest));
  return Array.from({ length: workers }, () =>
    random.chance(0.6) ? usual : drawTasks(random, random.between(1, longest)),
  );
}

function drawTasks(random: Random, count: number): readonly Task[] {
  return Array.from({ length: count }, (): Task => {
    if (random.chance(0.5)) return { kind: "ping" };
    if (random.chance(0.05)) return { kind: "sample-error" };
    return {
      kind: "walk",
      list: random.pick(["payments", "payments", "payouts"]),
      filters: random.pick(["", "", "status=booked", "fromCreatedAt=2026-01-01T00%3A00%3A00Z"]),
      pageSize: random.pick([7, 10, 10]),
      upTo: random.chance(0.1) ? 1 : undefined,
    };
  });
}
