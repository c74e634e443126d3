import { connect, createServer, type Socket } from "node:net";
import { afterFile } from "../support/cleanups.js";
import type { RedisServer } from "./redis-server.js";

/** A proxy between replicas and Redis that drops replies for a test, or leads to another Redis, as an address that moves. */
export class Between {
  /** How many replies were lost. */
  lost = 0;
  #toLose = 0;
  #request = "";
  #reply = "";
  readonly #sockets = new Set<Socket>();
  /** Connections that no longer pass data on. */
  #dead: ReadonlySet<Socket> = new Set();
  readonly #server;

  #redis: RedisServer;

  private constructor(redis: RedisServer) {
    this.#redis = redis;
    this.#server = createServer((near) => {
      const far = connect(this.#redis.port, "127.0.0.1");
      const isDead = () => this.#dead.has(near);
      let isAsked = false;
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
      }
      near.on("data", (data) => {
        isAsked ||= this.#toLose > 0 && data.includes(this.#request);
        if (!isDead()) far.write(data);
      });
      far.on("data", (data) => {
        if (isDead()) return;
        if (!isAsked || this.#toLose === 0 || !data.includes(this.#reply)) {
          near.write(data);
          return;
        }
        this.#toLose -= 1;
        this.lost += 1;
        near.destroy();
        far.destroy();
      });
      near.on("close", () => far.destroy());
      far.on("close", () => isDead() || near.destroy());
    });
    afterFile(() => {
      for (const socket of this.#sockets) socket.destroy();
      this.#server.close();
    });
  }

  static async start(redis: RedisServer): Promise<Between> {
    const between = new Between(redis);
    await new Promise<void>((resolve) => between.#server.listen(0, "127.0.0.1", resolve));
    return between;
  }

  get url(): string {
    const address = this.#server.address();
    return `redis://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /**
   * Closes a connection after Redis has run a command, and before its reply arrives.
   * @param request a part of the command
   * @param reply a part of its reply
   */
  loseReplies(count: number, request: string, reply: string): void {
    this.#toLose = count;
    this.#request = request;
    this.#reply = reply;
  }

  /** Closes all connections. New ones lead to another Redis. */
  moveTo(redis: RedisServer): void {
    this.#redis = redis;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The open connections silently stop passing data. New ones work. */
  swallow(): void {
    this.#dead = new Set(this.#sockets);
  }
}
