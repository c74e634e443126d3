import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { FailingFiles } from "../support/failing-files.js";
import { Between } from "./between.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, Replicas, send } from "./replicas.js";
import { healthy } from "./running.js";

/** The status of a token request as `demo`, with the files of a certs folder. */
async function tokenStatus(sandbox: Sandbox, certs: string): Promise<number> {
  const pem = readFileSync(join(certs, "clients/demo/identity.pem"), "utf8");
  const agent = new Agent({ cert: pem, key: pem, ca: readFileSync(join(certs, "ca.pem")) });
  afterFile(() => agent.destroy());
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const form = "grant_type=client_credentials&scope=read&client_id=demo";
  const client = { clientId: "demo", agent };
  return (await send(sandbox, client, "POST /oauth/v2/oauth-token", headers, form)).status;
}

const certificatesAt = async (sandbox: Sandbox) => (await admin(sandbox, "GET /clients/demo")).body.certificates;
const caAt = async (sandbox: Sandbox) => (await admin(sandbox, "GET /ca.pem")).body;

describe.skipIf(!hasRedis)("a change at a replica whose files cannot be written", () => {
  it.each(["POST /clients/demo/rotate", "POST /server/next-ca"])(
    "%s: everything is as before, or as after, and the answer says which",
    async (call) => {
      const replicas = new Replicas((await RedisServer.start()).url);
      const files = new FailingFiles();
      const [a, b] = [await replicas.start({}, files.operations), await replicas.start()];
      const state = async (at: Sandbox) => ({ certificates: await certificatesAt(at), ca: await caAt(at) });
      for (let place = 1; ; place++) {
        const before = await state(a);
        files.failAt(place);
        const { status, body } = await admin(a, call, {});
        const failed = files.work();
        const after = await state(b);
        const where = `${place}: ${failed}`;
        expect([where, await state(a)]).toEqual([where, after]);
        if (status === 503 && body.message.includes("Nothing has changed.")) expect(after, where).toEqual(before);
        else if (status === 503)
          expect(body.message, where).toContain("The change is made, but its files are not written");
        else expect([where, status]).toEqual([where, 200]);
        // Files that could not be written follow by themselves.
        expect([where, await eventually(async () => (await tokenStatus(b, replicas.certs)) === 200)]).toEqual([
          where,
          true,
        ]);
        expect(await eventually(async () => readFileSync(join(replicas.certs, "ca.pem"), "utf8") === after.ca)).toBe(
          true,
        );
        if (failed.length === 0) break;
      }
    },
  );

  it("that ends before it has written them: the next replica that starts writes them", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const files = new FailingFiles();
    const [a, b] = [await replicas.start({}, files.operations), await replicas.start()];
    files.failFrom(1, "renameSync");
    const { status, body } = await admin(a, "POST /clients/demo/rotate", {});
    expect([status, body.message]).toEqual([
      503,
      expect.stringMatching(/^The change is made, but its files are not written: Cannot write \S+: no space is left/),
    ]);
    expect(await tokenStatus(b, replicas.certs)).not.toBe(200);
    await a.close(0);
    expect(await tokenStatus(await replicas.start(), replicas.certs)).toBe(200);
  });

  it("whose reply from Redis is lost says so; the files follow what Redis has", async () => {
    const redis = await RedisServer.start();
    const between = await Between.start(redis);
    const [far, near] = [new Replicas(between.url), new Replicas(redis.url)];
    const a = await far.start();
    const b = await near.start({ certs: far.certs });
    const before = await certificatesAt(b);
    between.loseReplies(1, "client:demo", "*2\r\n$2\r\nok\r\n");
    const { status, body } = await admin(a, "POST /clients/demo/rotate", {});
    expect([status, body.message]).toEqual([
      503,
      expect.stringContaining("Whether the change is made is known once it answers again. The call can be repeated."),
    ]);
    await healthy(a);
    expect(await certificatesAt(b)).not.toEqual(before);
    expect(await eventually(async () => (await tokenStatus(b, far.certs)) === 200)).toBe(true);
    expect((await admin(a, "POST /clients/demo/rotate", {})).status).toBe(200);
    expect(await tokenStatus(b, far.certs)).toBe(200);
  });
});
