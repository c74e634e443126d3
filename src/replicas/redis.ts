import { createHash } from "node:crypto";
import { createClient, ErrorReply } from "@redis/client";
import { shownUrl } from "../base/text/user-information.js";
import { monotonicNow } from "../sandbox/clock.js";
import type { SharedSettings } from "../sandbox/config/configuration.js";
import { StoreError } from "../sandbox/store.js";

/**
 * The shared state cannot be reached. The message is a whole sentence, for the person who started the sandbox or calls
 * its admin API.
 */
export class SharedStateError extends StoreError {
  override readonly name = "SharedStateError";
}

/** The data in Redis was not written by a sandbox, or is damaged. A person must fix it. */
export class ForeignStateError extends SharedStateError {
  /** @param what where it was found */
  constructor(where: string, what: string) {
    super(
      `Redis at ${where} holds data that no sandbox wrote: ${what}. Give the sandboxes their own database; FLUSHDB empties this one.`,
    );
  }
}

/**
 * How long a command may take, in milliseconds. Commands that change something have an earlier deadline: they are never
 * executed later.
 */
const commandTimeout = 3500;

/**
 * How long Redis accepts a command after it was sent, in milliseconds. Less than `commandTimeout`, by more than the
 * error of the clock.
 */
export const acceptedFor = 3000;

/**
 * A connection that receives nothing for this long is opened again, in milliseconds. The
 * client's own time-out would end a good connection after the whole process stood still.
 */
const silence = 5000;

/** The longest pause between two attempts to connect, in milliseconds. */
const longestPause = 500;

export type Script = ReturnType<typeof script>;

/** A Lua script, with the digest by which Redis knows it (EVALSHA). */
export function script(text: string) {
  return { text, digest: createHash("sha1").update(text).digest("hex") };
}

/** For scripts: the time of Redis, in milliseconds since the epoch. It is the one clock that all replicas share. */
export const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Whether Redis has refused a command, and so has not done it. Otherwise it may have. */
export function isRefused({ cause }: Error): boolean {
  return cause instanceof ErrorReply;
}

/** One connection to Redis, which is opened again when it is lost. */
export class RedisConnection {
  /** Called with the time that a command took, in seconds. */
  onTimed: (duration: number) => void = () => {};
  /** For messages. */
  readonly where: string;
  readonly #client: ReturnType<typeof open>;
  readonly #onLost: () => void;
  /** When a reply last came, on the monotonic clock. */
  #heardAt = monotonicNow();
  #isClosed = false;

  private constructor(client: ReturnType<typeof open>, where: string, onLost: () => void) {
    this.#client = client;
    this.where = where;
    this.#onLost = onLost;
  }

  /**
   * @param onLost called each time that the connection is lost
   * @throws SharedStateError when Redis cannot be reached
   */
  static async open(settings: SharedSettings, onLost: () => void): Promise<RedisConnection> {
    let isOpen = false;
    let client: ReturnType<typeof open> | undefined;
    const where = shownUrl(settings.url);
    try {
      client = open(settings, () => isOpen);
      client.on("error", onLost);
      client.on("reconnecting", onLost);
      await within(commandTimeout, client.connect());
      isOpen = true;
      return new RedisConnection(client, where, onLost);
    } catch (error) {
      client?.destroy();
      const how = error instanceof ErrorReply ? "refuses this sandbox" : "cannot be reached";
      throw new SharedStateError(`Redis at ${where} ${how}: ${reasonOf(error)}.`);
    }
  }

  /**
   * Sends a command.
   * @throws SharedStateError when no answer comes in time
   */
  async send(args: readonly string[]): Promise<unknown> {
    const sentAt = monotonicNow();
    try {
      const reply = await within(commandTimeout, this.#client.sendCommand(args));
      this.#heardAt = monotonicNow();
      return reply;
    } catch (error) {
      if (error instanceof ErrorReply) this.#heardAt = monotonicNow();
      else this.#reopenSilent();
      throw this.#failure(error);
    } finally {
      this.onTimed((monotonicNow() - sentAt) / 1000);
    }
  }

  /**
   * Runs a script in one round trip.
   * @throws SharedStateError when no answer comes in time
   */
  async run({ text, digest }: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    try {
      return await this.send(["EVALSHA", digest, ...rest]);
    } catch (error) {
      if (!String((error as Error).cause).includes("NOSCRIPT")) throw error;
      return this.send(["EVAL", text, ...rest]);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client.destroy();
  }

  /** The other end may have disappeared silently. */
  #reopenSilent(): void {
    if (this.#isClosed || !this.#client.isReady || monotonicNow() - this.#heardAt < silence) return;
    this.#heardAt = monotonicNow();
    this.#client.destroy();
    this.#client.connect().catch(() => {});
    this.#onLost();
  }

  #failure(error: unknown): SharedStateError {
    const reason = reasonOf(error);
    if (reason.startsWith("WRONGTYPE")) return new ForeignStateError(this.where, reason);
    const what = error instanceof ErrorReply ? "refuses a command" : "does not answer";
    return new SharedStateError(`Redis at ${this.where} ${what}: ${reason}.`, { cause: error });
  }
}

function open({ url, user, password, ca, cert, key }: SharedSettings, wasOpen: () => boolean) {
  const isTls = url.startsWith("rediss:");
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    // The client's own time-out costs as much as the rest of a command, and counts the time in which this process stood still.
    commandOptions: { timeout: 0 },
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    socket: {
      connectTimeout: commandTimeout,
      // The first connection fails at once: the start reports it.
      reconnectStrategy: (retries) => (wasOpen() ? Math.min(longestPause, 50 * 2 ** retries) : false),
      ...(isTls && { tls: true as const, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }),
    },
  });
}

/** Waiting is counted in pieces of this length, in milliseconds. */
const piece = 250;

/**
 * Calls a function after a time. The time during which this process stood still does not count: what it waits for may
 * have come meanwhile, and is read first.
 * @returns a function that prevents the call
 */
export function afterRunning(milliseconds: number, call: () => void): () => void {
  let left = Math.ceil(milliseconds / piece);
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    call();
  }, piece);
  return () => clearInterval(timer);
}

/** @throws Error when it takes longer, as `afterRunning` counts */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let cancel: (() => void) | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = afterRunning(milliseconds, () => reject(new Error(`no answer within ${milliseconds} ms`)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel?.();
    work.catch(() => {});
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  // The message of OpenSSL is a long line of numbers and source locations, and ends with the reason.
  const { message, reason } = error as Error & { readonly reason?: unknown };
  return (typeof reason === "string" ? reason : message).trim().replace(/\.$/, "");
}
