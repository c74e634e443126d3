import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { thumbprintOf } from "../../src/base/x509/certificate.js";
import { systemClock } from "../../src/sandbox/clock.js";
import type { Configuration } from "../../src/sandbox/config/configuration.js";
import { thumbprintOfPem } from "../../src/sandbox/pki/certificate-facts.js";
import { certsInMemory } from "../../src/sandbox/pki/make.js";
import { startTls } from "../support/raw-client.js";
import { start, type TestSandbox } from "./fixture.js";
import { startInFolder } from "./rotating.js";

/** Two sandboxes on one certificates folder, which share no state. */
async function two(settings: { first?: Partial<Configuration>; second?: Partial<Configuration> } = {}) {
  const warnings: string[] = [];
  const output = { log: () => {}, warn: (text: string) => void warnings.push(text) };
  const { own: first, certs } = await startInFolder(settings.first);
  const second = await start({ certs, hostCerts: certs, keyType: "ec", ...settings.second }, { output });
  await second.sandbox.identities;
  return { first, second, certs, warnings, read: (file: string) => readFileSync(join(certs, file), "utf8") };
}

/** Connects, verifying with a CA. Returns the thumbprint of the server's certificate, or the code of the refusal. */
function seen({ sandbox }: TestSandbox, ca: string, servername = "localhost"): Promise<string> {
  const { socket } = startTls({ port: Number(new URL(sandbox.url).port), ca, servername });
  return new Promise((resolve) => {
    socket.once("secureConnect", () => {
      resolve(thumbprintOf(socket.getPeerX509Certificate()?.raw ?? Buffer.alloc(0)));
      socket.destroy();
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
}

const cut = async ({ admin }: TestSandbox) =>
  (await admin.post("/server/certificate", { issuer: "next-ca" })).json.thumbprint;

describe("two sandboxes on one folder", () => {
  it.each([
    [
      "one after the other",
      async (all: TestSandbox[]) => {
        const answers = [];
        for (const { admin } of all) answers.push(await admin.post("/server/next-ca", {}));
        return answers;
      },
    ],
    [
      "at the same time",
      (all: TestSandbox[]) => Promise.all(all.map(({ admin }) => admin.post("/server/next-ca", {}))),
    ],
  ])("have one next CA, announced %s; ca.pem and ca-next.pem fit both after both cuts", async (_, announce) => {
    const { first, second, read } = await two();
    const [one, other] = await announce([first, second]);
    expect([one?.status, other?.status]).toEqual([200, 200]);
    expect(other?.json).toEqual(one?.json);
    expect([read("ca.pem"), read("ca-next.pem")]).toEqual([one?.json.ca, one?.json.nextCa]);
    const shown = [await cut(first), await cut(second)];
    for (const file of ["ca.pem", "ca-next.pem"])
      expect([await seen(first, read(file)), await seen(second, read(file))]).toEqual(shown);
    const minted = (await second.admin.post("/clients", {})).json;
    expect(minted.ca).toBe(read("ca.pem"));
  });

  it("have one next CA also after a start in between", { tags: "slow" }, async () => {
    const { first, certs, read } = await two();
    const { nextCa } = (await first.admin.post("/server/next-ca", {})).json;
    const third = await start({ certs, hostCerts: certs, keyType: "ec", nameConstraints: "names" });
    expect((await third.admin.get("/ca-next.pem")).status).toBe(404);
    const shown = await cut(third);
    expect((await third.admin.get("/ca-next.pem")).text).toBe(nextCa);
    expect(await seen(third, read("ca-next.pem"))).toBe(shown);
    expect(await seen(first, read("ca.pem"))).toBe((await first.admin.get("/server/certificate")).json.thumbprint);
  });

  it("have a next CA that may issue for the names of all that the CA may", { tags: "slow" }, async () => {
    const hostnames = ["bank.example", "app"];
    const { first, certs } = await two({ first: { hostnames }, second: { hostnames } });
    const plain = await start({ certs, hostCerts: certs, keyType: "ec" });
    const { ca } = (await plain.admin.post("/server/next-ca", {})).json;
    const shown = await cut(first);
    for (const name of hostnames) expect(await seen(first, ca, name)).toBe(shown);
  });

  it("say which name the next CA does not permit", async () => {
    const { first, second } = await two({
      first: { nameConstraints: "strict", hostnames: ["10.1.2.3"] },
      second: { nameConstraints: "strict" },
    });
    await second.admin.post("/server/next-ca", {});
    const { status, json } = await first.admin.post("/server/certificate", { issuer: "next-ca" });
    expect([status, json.message]).toEqual([
      503,
      expect.stringMatching(
        /^The CA in ca\.pem may not issue a certificate for "10\.1\.2\.3": .* Nothing has changed\.$/,
      ),
    ]);
  });

  it("keep in ca.pem what the other one trusts", async () => {
    const { server, caPem } = await certsInMemory({ clock: systemClock });
    const { first, second, read } = await two({ second: { server: { ...server, rootPem: caPem } } });
    const shown = thumbprintOfPem(server.certPem);
    expect(await seen(second, read("ca.pem"))).toBe(shown);
    await first.admin.post("/server/next-ca", {});
    expect([await seen(second, read("ca.pem")), await seen(first, read("ca.pem"))]).toEqual([
      shown,
      (await first.admin.get("/server/certificate")).json.thumbprint,
    ]);
  });

  it("say on the console of the second that client.env named the first, which still answers", async () => {
    const { first, second, warnings, certs, read } = await two();
    const named = [first, second].map(({ sandbox }) => new URL(sandbox.url).origin);
    expect(warnings).toEqual([
      `payments-sandbox: The client.env files in ${certs} name ${named[1]} now. The sandbox at ${named[0]}, which they named before, still answers: give each its own --certs folder, or stop one of them.\n`,
    ]);
    expect(read("clients/demo/client.env")).toContain(`SANDBOX_URL=${named[1]}\n`);
    // Nothing is said of one that has stopped.
    await second.close();
    const later: string[] = [];
    const output = { log: () => {}, warn: (text: string) => void later.push(text) };
    const third = await start({ certs, hostCerts: certs, keyType: "ec" }, { output });
    await third.sandbox.identities;
    expect(later).toEqual([]);
  });
});
