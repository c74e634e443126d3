import type { Token } from "./program.js";
import type { Outcome, Request } from "./worker.js";
import { unchanged, Worker } from "./worker.js";
import type { Steps } from "./world.js";
import {
  all,
  alone,
  beyondDoubt,
  calm,
  type Facts,
  onOneConnection,
  tooMany,
  type WrongClient,
  withFault,
  withTask,
} from "./wrong-client.js";

const ping = withTask({ kind: "ping" });

/** More requests than may have waited for the only connection when their token was refused. */
const beyondOwn = ({ usual }: Facts): number => Math.min(16, usual("GET /v1/ping")) + 2;

/** A worker that sends a refused token again, so many times, each after a pause in milliseconds. */
function insisting(most: (facts: Facts) => number, pause = 10) {
  return (facts: Facts) => {
    const times = most(facts);
    return class extends Worker {
      override *call(request: Request): Steps<Outcome> {
        const token = yield* this.token();
        if (token === undefined) return undefined;
        let answer: Outcome;
        for (let sent = 0; sent <= times; sent++) {
          answer = yield* this.persist(request, undefined, () => unchanged({ ...request, token: token.value }));
          if (answer?.status !== 401) return answer;
          if (sent < times) facts.steps += 1;
          yield* this.program.machine.sleep(pause);
        }
        super.refused(token);
        return answer;
      }
    };
  };
}

function withOldToken(how: string, pause: number): WrongClient {
  return {
    fails: "token.certificate",
    how,
    meets: all(
      ping,
      ping,
      (drawn) => ({
        ...drawn,
        traits: {
          ...drawn.traits,
          certificate: { ...drawn.traits.certificate, readAt: "connection", keepsToken: true },
        },
      }),
      withFault({ kind: "renew", overlap: 30_000 }, { limit: 1, operation: "ping" }),
    ),
    worker: insisting(() => beyondDoubt, pause),
    enough: () => beyondDoubt,
  };
}

/** A wrong client that its check misses with some seeds: over HTTP/2, a burst looks like parallel requests. */
export const inBurst = withOldToken("sends the token of the certificate that was renewed in a burst", 10);

/** Clients that use their tokens in a wrong way. */
export const wrongTokens: readonly WrongClient[] = [
  {
    fails: "token.refused",
    how: "sends a refused token again on the same connection",
    meets: all(ping, alone, onOneConnection, withFault({ kind: "revoke" }, { limit: 1 })),
    worker: insisting(beyondOwn),
    enough: beyondOwn,
  },
  {
    fails: "token.refused",
    how: "goes on with a refused token",
    meets: all(ping, withFault({ kind: "revoke" }, { limit: 3 })),
    worker: insisting(() => beyondDoubt),
    enough: () => beyondDoubt,
  },
  withOldToken("goes on with the token of the certificate that was renewed", 150),
  {
    fails: "token.type",
    how: "uses a token of another type",
    meets: all(ping, withFault({ kind: "token-type", type: "DPoP" }, { operation: "token" })),
    worker: (facts) =>
      class extends Worker {
        override accepts(type: string): boolean {
          if (!super.accepts(type)) facts.steps += 1;
          return true;
        }
      },
  },
  {
    fails: "token.renewed",
    how: "gets new tokens without end",
    meets: all(ping, withFault({ kind: "error", status: 401, code: "UNAUTHORIZED" }, { operation: "ping" })),
    worker: (facts) =>
      class extends Worker {
        override renews(renewals: number): boolean {
          if (renewals >= 2) facts.steps += 1;
          return facts.steps < 2 * tooMany(facts);
        }
      },
    enough: (facts) => 2 * tooMany(facts),
  },
  {
    fails: "token.reused",
    how: "requests a token for each request",
    meets: all(alone, calm, ping, ping, ping, ping),
    worker: (facts) =>
      class extends Worker {
        override *token(): Steps<Token | undefined> {
          const token = yield* this.requestToken();
          if (token !== undefined) facts.steps += 1;
          return token;
        }
      },
    enough: () => 3,
  },
  {
    fails: "tls.server-certificate",
    how: "accepts any server",
    meets: (drawn) => ({
      ...drawn,
      weather: {
        ...drawn.weather,
        rules: [],
        serverDefect: { defect: "untrusted", from: 1, count: Number.POSITIVE_INFINITY },
      },
    }),
    worker: (facts) =>
      class extends Worker {
        override *run(tasks: Parameters<Worker["run"]>[0]): Steps<boolean> {
          this.program.acceptsAnyServer = true;
          facts.steps += 1;
          return yield* super.run(tasks);
        }
      },
    isShown: ({ observed }) => observed.some((each) => "exchange" in each),
  },
];
