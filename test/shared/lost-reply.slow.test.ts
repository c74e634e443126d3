import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, steadyPing, token } from "./replicas.js";
import { healthy } from "./running.js";

/** Only the script that writes a batch of the journal has this key. */
const ofBatches = "payments-sandbox:numbers";
/** How its reply begins, once it has written. */
const written = "*4\r\n$2\r\nok\r\n";

/** Stands between replicas and Redis, and cuts a connection once Redis has done what it was asked and before the reply is back. */
class Between {
  lost = 0;
  #toLose = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor(redis: RedisServer) {
    this.#server = createServer((near) => {
      const far = connect(redis.port, "127.0.0.1");
      let isAsked = false;
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
      }
      near.on("data", (data) => {
        isAsked ||= this.#toLose > 0 && data.includes(ofBatches);
        far.write(data);
      });
      far.on("data", (data) => {
        if (!isAsked || this.#toLose === 0 || !data.includes(written)) return near.write(data);
        this.#toLose -= 1;
        this.lost += 1;
        near.destroy();
        far.destroy();
      });
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
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

  loseReplies(count: number): void {
    this.#toLose = count;
  }
}

describe.skipIf(!hasRedis)("a batch of the journal whose reply is lost", () => {
  it("is in the journal and in the report once, at each replica", async () => {
    const redis = await RedisServer.start();
    const between = await Between.start(redis);
    const [far, near] = [new Replicas(between.url), new Replicas(redis.url)];
    const a = await far.start();
    const b = await near.start({ certs: far.certs });
    const client = await mint(b);
    between.loseReplies(1);
    // A second request for a token that is valid would be a fault of the client.
    const bearer = await token(a, client);
    await eventually(() => between.lost === 1);
    between.loseReplies(2);
    for (let sent = 1; sent <= 20; sent++) expect(await steadyPing(a, client, bearer)).toBe(200);
    await eventually(() => between.lost === 3);
    await healthy(a);
    for (const at of [a, b]) {
      const { items } = (await admin(at, `GET /requests?client=${client.clientId}&status=200`)).body;
      expect(items).toHaveLength(21);
      expect(items.every(({ delivered }: { delivered: unknown }) => delivered === true)).toBe(true);
      const { checks } = (await admin(at, `GET /report?client=${client.clientId}`)).body.drills[0];
      expect(checks).toContainEqual(expect.objectContaining({ id: "token.reused", verdict: "pass" }));
    }
  });
});
