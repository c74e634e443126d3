import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { thumbprintOfPem } from "../../src/sandbox/pki/certificate-facts.js";
import { systemFiles } from "../../src/sandbox/pki/file-operations.js";
import { Generations } from "../../src/sandbox/pki/generations.js";
import { open } from "../sandbox/pki/fixture.js";
import { afterTest } from "../support/cleanups.js";
import { copyFolder } from "../support/copy-folder.js";
import { FailingFiles } from "../support/failing-files.js";
import { HttpsClient } from "../support/https-client.js";
import { start, type TestSandbox } from "./fixture.js";

/** What a caller is told. */
export interface Told {
  readonly status: number;
  /** Of the answer, or of the journal's entry about it. */
  readonly message: string;
}

/** A sandbox whose file operations fail when they are told to, with what a client reads in its folder. */
export class Tried {
  private constructor(
    readonly own: TestSandbox,
    readonly certs: string,
    readonly files: FailingFiles,
  ) {}

  static async start({ before }: Call): Promise<Tried> {
    const folder = mkdtempSync(join(tmpdir(), "half-done-"));
    afterTest(() => rmSync(folder, { recursive: true, force: true }));
    const certs = join(folder, "certs");
    copyFolder(inject("wholeCerts") ?? "", certs);
    const files = new FailingFiles();
    const own = await start({ certs, hostCerts: certs, keyType: "ec" }, { files: files.operations });
    await own.sandbox.identities;
    const tried = new Tried(own, certs, files);
    await before?.(tried);
    return tried;
  }

  async post(path: string, body: object): Promise<Told> {
    const { status, json } = await this.own.admin.post(path, body);
    return { status, message: json?.message ?? "" };
  }

  async put(path: string, body: object): Promise<Told> {
    const { status, json } = await this.own.admin.put(path, body);
    return { status, message: json.message ?? "" };
  }

  /** Calls an operation as `demo`, with the files in the folder. */
  async ping() {
    const pem = readFileSync(join(this.certs, "clients/demo/identity.pem"), "utf8");
    const ca = readFileSync(join(this.certs, "ca.pem"), "utf8");
    const https = new HttpsClient(this.own.sandbox.url, { ca, identity: { cert: pem, key: pem } });
    try {
      const form = "grant_type=client_credentials&client_id=demo&scope=read";
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const token = await https.send("/oauth/v2/oauth-token", { method: "POST", headers, body: form });
      if (token.status !== 200) return token;
      return await https.send("/v1/ping", { headers: { Authorization: `Bearer ${token.json.access_token}` } });
    } finally {
      https.close();
    }
  }

  /** What the sandbox has in memory. */
  async memory() {
    const { admin } = this.own;
    const { certificates } = (await admin.get("/clients/demo")).json;
    return {
      demo: certificates.map(({ thumbprint, endsAt, ended }: Record<string, unknown>) => [thumbprint, endsAt, ended]),
      newest: thumbprintOfPem((await admin.get("/identities/demo/cert.pem")).text),
      ca: (await admin.get("/ca.pem")).text,
      server: (await admin.get("/server/certificate")).json.thumbprint,
      scenario: (await admin.get("/scenario")).json.name,
    };
  }

  /** What programs find in the folder: every file but those that the sandbox hides. */
  disk(): Record<string, string> {
    return contents(this.certs);
  }

  /** A copy of the folder as it is now, opened by another start; and its files, once all are in their places. */
  async restarted() {
    const copy = mkdtempSync(join(tmpdir(), "half-done-copy-"));
    try {
      cpSync(this.certs, copy, { recursive: true });
      new Generations(copy, systemFiles).settle();
      const disk = contents(copy);
      const certs = await open(copy);
      await certs.complete;
      const demo = certs.clients.find(({ name }) => name === "demo");
      return { demo: thumbprintOfPem(demo?.certPem ?? ""), ca: certs.caPem, disk };
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

const renewing = `description: Of a test.
rules:
  - when: { operation: ping }
    then: { certificate: { renew: { overlap: 0s } } }
`;

/** A request on which a rule renews the certificate. */
async function renew(tried: Tried): Promise<Told> {
  const { admin } = tried.own;
  await admin.putYaml("/scenarios/renewing", renewing);
  await admin.put("/clients/demo/scenario", { name: "renewing" });
  const { status, headers } = await tried.ping();
  await admin.delete("/clients/demo/scenario");
  expect(headers["sandbox-fault"]).toMatch(/^renewing\/rule-1#\d+;/);
  const entry = (await admin.get("/requests?operation=ping&pageSize=1")).json.items[0];
  return { status, message: status === 503 ? entry.explanation : "" };
}

/** A call that writes into the certificates folder. */
interface Call {
  /** What is done before it, while everything works. */
  readonly before?: (tried: Tried) => Promise<unknown>;
  readonly make: (tried: Tried) => Promise<Told>;
}

const rotate = (tried: Tried, body = {}) => tried.post("/clients/demo/rotate", body);
const hold = (tried: Tried) => rotate(tried, { overlap: "1h", hold: "key" });

/** The calls that write into the certificates folder. */
export const calls = {
  "POST /clients/demo/rotate": { make: rotate },
  "POST /clients/demo/rotate while another one is held": { before: hold, make: rotate },
  "POST /server/next-ca": { make: (tried) => tried.post("/server/next-ca", {}) },
  "POST /server/next-ca while a rotation is held": {
    before: hold,
    make: (tried) => tried.post("/server/next-ca", {}),
  },
  "POST /server/certificate, the cut": { make: (tried) => tried.post("/server/certificate", { issuer: "next-ca" }) },
  "PUT /scenario server-ca-changes": { make: (tried) => tried.put("/scenario", { name: "server-ca-changes" }) },
  "a rule that renews": { make: renew },
} satisfies Readonly<Record<string, Call>>;

function contents(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1);
    if (entry.isFile() && !path.startsWith(".")) files[path] = readFileSync(join(directory, path), "base64");
  }
  return files;
}

/** The files that differ. */
function differing(one: Record<string, string>, other: Record<string, string>): string[] {
  return Object.keys(other).filter((path) => one[path] !== other[path]);
}

/** A message names the files that are not in their places, or the folder that has some of them, and nothing else. */
function expectNamed(message: string, certs: string, missing: readonly string[], where?: string): void {
  const [, list = ""] = /Cannot (?:read|write) (.+?): /.exec(message) ?? [];
  // A generation that cannot be read has all of them.
  const named = list.split(", ").map((path) => path.slice(certs.length + 1).replace(/^\.generation-.*/, ""));
  const isBelow = (path: string, folder: string) => folder === "" || path === folder || path.startsWith(`${folder}/`);
  expect([where, missing.filter((path) => !named.some((each) => isBelow(path, each)))]).toEqual([where, []]);
  expect([where, named.filter((each) => !missing.some((path) => isBelow(path, each)))]).toEqual([where, []]);
}

/** Which file operations of a call fail: the first one, and then one of so many. */
interface Places {
  readonly first: number;
  readonly every: number;
}

const nothing = /Nothing has changed\./;

/**
 * Lets file operations of a call fail, each alone. Everything is as before then, or as after, and the answer says which.
 */
export async function failOnce(call: Call, { first, every }: Places): Promise<void> {
  let it = await Tried.start(call);
  for (let place = first; ; place += every) {
    const before = { memory: await it.memory(), disk: it.disk() };
    it.files.failAt(place);
    const { status, message } = await call.make(it);
    const failed = it.files.work();
    const after = { memory: await it.memory(), disk: it.disk() };
    const where = `${place}: ${failed}`;
    if (status === 503) {
      expect([where, message]).toEqual([where, expect.stringMatching(nothing)]);
      expect(after, where).toEqual(before);
    } else {
      expect([where, status]).toEqual([where, 200]);
      expect(after.memory, where).not.toEqual(before.memory);
      expect(after.disk, where).not.toEqual(before.disk);
    }
    expect([where, (await it.ping()).status]).toEqual([where, 200]);
    if (failed.length === 0) return expect(place).toBeGreaterThan(10);
    if (status === 200) it = await Tried.start(call);
  }
}

/** Lets a file operation of the end of a held rotation fail, and all after it. The answer names what is still held. */
export async function failToFinish(): Promise<void> {
  const it = await Tried.start({ before: hold, make: rotate });
  for (let place = 1; ; place++) {
    const before = it.disk();
    it.files.failFrom(place);
    const { status, message } = await it.post("/clients/demo/rotate/finish", {});
    const failed = it.files.work();
    const where = `${place}: ${failed}`;
    if (status === 204) return expect(place).toBeGreaterThan(5);
    expect([where, status]).toEqual([where, 503]);
    if (nothing.test(message)) expect(it.disk(), where).toEqual(before);
    else expectNamed(message, it.certs, differing(it.disk(), (await it.restarted()).disk), where);
    await hold(it);
  }
}

/**
 * Lets a file operation of a call fail, and all after it. A start on what is left has everything as before or as after,
 * and so has the sandbox itself after the next call that writes; until then, its answer names what differs.
 */
export async function failForGood(call: Call, { first, every }: Places): Promise<void> {
  let it = await Tried.start(call);
  for (let place = first; ; place += every) {
    const before = { memory: await it.memory(), disk: it.disk() };
    it.files.failFrom(place);
    const { status, message } = await call.make(it);
    const failed = it.files.work();
    const after = { memory: await it.memory(), disk: it.disk() };
    const where = `${place}: ${failed}`;
    const isDecided = status === 200 || !nothing.test(message);
    const { newest, ca } = isDecided ? after.memory : before.memory;
    const { disk, ...restarted } = await it.restarted();
    expect(restarted, where).toEqual({ demo: newest, ca });
    if (!isDecided) expect(after, where).toEqual(before);
    else {
      expect(after.memory, where).not.toEqual(before.memory);
      if (status !== 200) {
        expect(message, where).toMatch(/The change is made\. Cannot (read|write) /);
        expectNamed(message, it.certs, differing(after.disk, disk), where);
      }
      expect([where, (await it.post("/server/next-ca", {})).status]).toEqual([where, 200]);
    }
    expect([where, (await it.ping()).status]).toEqual([where, 200]);
    if (failed.length === 0) return;
    if (isDecided) it = await Tried.start(call);
  }
}
