import type { Drawn } from "./crowd.js";
import type { Observed } from "./open-exchange.js";
import type { Token } from "./program.js";
import type { Task, Traits } from "./traits.js";
import { Worker } from "./worker.js";
import { Signal, type Steps } from "./world.js";
import { all, alone, bounded, calm, type Facts, nearby, quick, type WrongClient, withFault } from "./wrong-client.js";
import { repeating } from "./wrong-retries.js";

const ping: Task = { kind: "ping" };
const walk = (list: string): Task => ({ kind: "walk", list, filters: "", pageSize: 10, upTo: undefined });

/** One worker on machines that never stop, with this work, and with some traits of its own. */
function plain(tasks: readonly Task[], traits: Partial<Traits> = {}): (drawn: Drawn) => Drawn {
  return (drawn) => {
    const made = all(alone, quick, nearby, calm, bounded)(drawn);
    return { ...made, work: [tasks], traits: { ...made.traits, goesOn: true, checksLogin: "never", ...traits } };
  };
}

const once = { operation: "ping", limit: 1 } as const;
const maintenance = { kind: "error", status: 503, code: "SERVICE_UNAVAILABLE", retryAfter: 30 } as const;

/** A correct worker, of a client whose traits are not advised. */
const itself = (facts: Facts) =>
  class extends Worker {
    override *run(tasks: readonly Task[]): Steps<boolean> {
      facts.steps += 1;
      return yield* super.run(tasks);
    }
  };

/** A worker that repeats nothing, and ends well. */
const discouraged = (facts: Facts) =>
  class extends Worker {
    override mayRetry(): boolean {
      facts.steps += 1;
      return false;
    }

    override renews(): boolean {
      facts.steps += 1;
      return false;
    }

    override *does(task: Task): Steps<boolean> {
      yield* super.does(task);
      return true;
    }
  };

/** A worker that waits before each task, in milliseconds. */
const slow = (pause: number) => (facts: Facts) =>
  class extends Worker {
    override isFresh(): boolean {
      return true;
    }

    override *does(task: Task): Steps<boolean> {
      yield* this.program.machine.sleep(pause);
      facts.steps += 1;
      return yield* super.does(task);
    }
  };

/** Whether two token requests were open at the same time. */
function areTogether(observed: readonly Observed[]): boolean {
  const all = observed.flatMap((each) => ("exchange" in each ? [each.exchange] : []));
  const ofTokens = all.filter(({ operation }) => operation === "token");
  return ofTokens.some((one) =>
    ofTokens.some((other) => other !== one && other.arrivedAt > one.arrivedAt && other.arrivedAt < one.releasedAt),
  );
}

/** Clients that do what a check of the level `should` advises against. */
export const unadvised: readonly WrongClient[] = [
  {
    fails: "token.shared",
    how: "requests two tokens at once",
    meets: plain([ping], { connections: 2, version: 1, races: false }),
    worker: (facts) =>
      class extends Worker {
        override *requestToken(): Steps<Token | undefined> {
          const other = new Signal<undefined>();
          const request = super.requestToken();
          this.program.world.spawn(
            (function* () {
              yield* request;
              facts.steps += 1;
              other.give(undefined);
            })(),
          );
          const token = yield* super.requestToken();
          yield* other.taken();
          return token;
        }
      },
    isShown: ({ observed }) => areTogether(observed),
  },
  {
    fails: "token.expired",
    how: "sends a token long after its end",
    meets: (drawn) => ({
      ...plain([ping, ping, ping])(drawn),
      weather: { ...calm(drawn).weather, tokenLifetime: 1000 },
    }),
    worker: slow(2500),
    enough: () => 2,
  },
  {
    fails: "token.retried",
    how: "takes a 401 for a success",
    meets: all(plain([ping]), withFault({ kind: "revoke" }, once)),
    worker: discouraged,
    isFinished: true,
  },
  {
    fails: "tls.version",
    how: "has no TLS 1.3",
    meets: plain([ping], { protocol: "TLSv1.2" }),
    worker: itself,
  },
  {
    fails: "tls.reuse",
    how: "opens a connection for each request",
    meets: plain([ping, ping, ping, ping, ping, ping], { version: 1, keepAlive: false }),
    worker: itself,
  },
  {
    fails: "retry.backoff",
    how: "repeats a failed request after equal pauses",
    meets: all(
      plain([ping]),
      withFault({ kind: "error", status: 500, code: "INTERNAL_SERVER_ERROR" }, { operation: "ping" }),
    ),
    worker: repeating(() => 8, 150),
    enough: () => 8,
  },
  {
    fails: "retry.recovers",
    how: "gives up at the first failure",
    meets: all(plain([ping]), withFault({ kind: "error", status: 500, code: "INTERNAL_SERVER_ERROR" }, once)),
    worker: discouraged,
  },
  {
    fails: "retry.others",
    how: "goes on with other requests while Retry-After tells it to wait",
    meets: all(
      plain([ping, walk("payments"), walk("payouts"), walk("payments")]),
      withFault(maintenance, { operation: "ping" }),
      (drawn) => ({
        ...drawn,
        traits: { ...drawn.traits, retry: { ...drawn.traits.retry, what: "nothing", most: 1 } },
      }),
    ),
    worker: slow(200),
    enough: () => 4,
  },
  {
    fails: "h2.refused-retried",
    how: "does not repeat a refused stream",
    meets: all(plain([ping], { version: 2 }), withoutResending, withFault({ kind: "refused" }, once)),
    worker: discouraged,
  },
  {
    fails: "h2.goaway",
    how: "does not repeat a request that GOAWAY left out",
    meets: all(plain([ping], { version: 2 }), withoutResending, withFault({ kind: "goaway-before" }, once)),
    worker: discouraged,
  },
  {
    fails: "certificate.renewed",
    how: "keeps the certificate of its start",
    meets: all(plain([ping, ping]), keepingCertificate, withFault({ kind: "renew", overlap: 500 }, once)),
    worker: slow(1000),
    enough: () => 2,
  },
  {
    fails: "certificate.old-connection",
    how: "goes on with a connection whose certificate was refused",
    meets: all(
      plain([ping, ping, ping, ping], { keepAlive: true }),
      keepingCertificate,
      withFault({ kind: "renew", overlap: 0 }, once),
    ),
    worker: itself,
  },
];

function withoutResending(drawn: Drawn): Drawn {
  return { ...drawn, traits: { ...drawn.traits, retry: { ...drawn.traits.retry, resends: false } } };
}

function keepingCertificate(drawn: Drawn): Drawn {
  return { ...drawn, traits: { ...drawn.traits, certificate: { ...drawn.traits.certificate, readAt: "never" } } };
}
