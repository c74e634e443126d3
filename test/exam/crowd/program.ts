import type { Random } from "../../fuzz/random.js";
import { ClientConnection } from "./client-connection.js";
import type { Downward, Upward } from "./messages.js";
import type { SandboxProcess } from "./open-exchange.js";
import { type Attempt, Pool, type Reply } from "./pool.js";
import { ServerConnection } from "./server-connection.js";
import type { Traits } from "./traits.js";
import { type Machine, type Signal, type Steps, Way, type World } from "./world.js";

/** A token as a client keeps it. */
export interface Token {
  readonly value: string;
  readonly type: string;
  /** The certificate that it was requested with. */
  readonly thumbprint: string;
  readonly renewAt: number;
}

/** Where workers keep a token: one place for all, or one for each. */
export interface TokenCache {
  token: Token | undefined;
  pending: Signal<Token | undefined> | undefined;
}

/** A process of a client: what its workers share. */
export class Program {
  #pools = new Map<number, Pool>();
  readonly #caches = new Map<number, TokenCache>();
  readonly #all: Pool[] = [];
  /** The certificate that was read last. */
  thumbprint: string;
  #readAt: number;

  constructor(
    readonly world: World,
    readonly machine: Machine,
    readonly random: Random,
    readonly traits: Traits,
    readonly sandbox: SandboxProcess,
  ) {
    this.thumbprint = sandbox.service.newestCertificate;
    this.#readAt = world.now;
  }

  cacheOf(worker: number): TokenCache {
    const place = this.traits.token.shared ? 0 : worker;
    let cache = this.#caches.get(place);
    if (cache === undefined) {
      cache = { token: undefined, pending: undefined };
      this.#caches.set(place, cache);
    }
    return cache;
  }

  #poolOf(worker: number): Pool {
    const place = this.traits.ownPools ? worker : 0;
    let pool = this.#pools.get(place);
    if (pool === undefined) {
      const connector = { open: (of: Pool) => this.open(of), send: (attempt: Attempt) => this.#route(attempt) };
      pool = new Pool(connector, this.thumbprint, this.traits.version, this.traits);
      this.#pools.set(place, pool);
      this.#all.push(pool);
    }
    return pool;
  }

  /** Reads the files of the certificate again, if it is time for it. */
  readCertificate(occasion: "connection" | "refusal" | "time"): void {
    const { readAt, interval, keepsToken } = this.traits.certificate;
    if (readAt !== occasion || (occasion === "time" && this.world.now < this.#readAt + interval)) return;
    this.#readAt = this.world.now;
    const { newestCertificate } = this.sandbox.service;
    if (newestCertificate === this.thumbprint) return;
    this.thumbprint = newestCertificate;
    if (!keepsToken) for (const cache of this.#caches.values()) cache.token = undefined;
    const retired = [...this.#pools];
    this.#pools = new Map();
    // What waited for a connection gets one with the new certificate.
    for (const [, pool] of retired) for (const attempt of pool.retire()) this.#route(attempt);
  }

  /** Chooses a pool. A client that reads its certificate for each connection does so before it opens one. */
  #route(attempt: Attempt): void {
    if (this.#poolOf(attempt.worker).opensNext) this.readCertificate("connection");
    this.#poolOf(attempt.worker).send(attempt);
  }

  open(pool: Pool): ClientConnection {
    const { world, machine, random, traits, sandbox } = this;
    const { thumbprint } = pool;
    const { version, keepAlive } = traits;
    const client = new ClientConnection(machine, version, thumbprint, keepAlive, pool);
    const down = new Way<Downward>(world, random, traits.network, (message) => client.receive(message));
    const server = new ServerConnection(sandbox, traits.version, traits.protocol, thumbprint, (message) =>
      down.send(message),
    );
    const up = new Way<Upward>(world, random, traits.network, (message) => server.receive(message));
    client.up = (message) => up.send(message);
    client.up({ kind: "connect" });
    return client;
  }

  /** Sends a request once, and waits for its answer as long as the client does. */
  *send(attempt: Attempt): Steps<Reply> {
    const { machine, traits, world } = this;
    const { timeout, timeoutFrom } = traits;
    const giveUpLater = (): void => {
      if (timeout === undefined) return;
      machine.at(world.now + timeout, () => {
        if (attempt.reply.isGiven) return;
        attempt.fail("timeout");
        attempt.connection?.giveUp(attempt);
      });
    };
    if (timeoutFrom === "sending") attempt.onSent = giveUpLater;
    else giveUpLater();
    this.#route(attempt);
    return yield* attempt.reply.taken();
  }

  close(): void {
    for (const pool of this.#all) pool.close();
  }
}
