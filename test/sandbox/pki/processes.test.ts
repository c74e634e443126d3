import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Identity, KeyedCertificate } from "../../../src/sandbox/pki/certs.js";
import { closeFolder, makeReadOnly, needsOrdinaryUser, ordinaryUser } from "../../support/users.js";
import { day, folderToCopy, hiddenNames, named, open, openWhole, snapshot, temporaryFolder } from "./fixture.js";
import { expectConsistent } from "./kills.js";
import { type ChildTask, childProcesses } from "./processes.js";

const start = childProcesses(beforeAll);
const copiedFolder = folderToCopy(beforeAll);

/** Several processes open a folder, and have the same CA, server and identities. */
async function sameSet(directory: string, processes: number, task: Omit<ChildTask, "directory"> = {}) {
  const outcomes = await Promise.all(Array.from({ length: processes }, () => start({ directory, ...task })));
  const sets = outcomes.map(({ signal, printed: { calls: _, ...set } }) => ({ signal, set }));
  for (const set of sets) expect(set).toEqual(sets[0]);
  return sets[0]?.set as { caPem: string; server: KeyedCertificate; identities: Identity[] };
}

describe("sandboxes that start on one empty folder at the same time", () => {
  it("have the same set: processes", { tags: "slow" }, async () => {
    const directory = join(temporaryFolder(), "certs");
    const { caPem, server, identities } = await sameSet(directory, 4);
    expect(readFileSync(join(directory, "ca.pem"), "utf8")).toBe(caPem);
    expect(readFileSync(join(directory, "server.pem"), "utf8")).toBe(server.certPem);
    for (const { folder, certPem } of identities) {
      expect(readFileSync(join(directory, folder, "cert.pem"), "utf8")).toBe(certPem);
    }
    expectConsistent(directory);
    expect(hiddenNames(directory)).toEqual([".generation-2"]);
  });

  it("have the same set: --fresh-certs, also if one of them begins when another one is done", {
    tags: "slow",
  }, async () => {
    const directory = copiedFolder();
    const before = readFileSync(join(directory, "ca.pem"), "utf8");
    const { caPem } = await sameSet(directory, 2, { fresh: true });
    expect(caPem).not.toBe(before);
    expect(readFileSync(join(directory, "ca.pem"), "utf8")).toBe(caPem);
    expectConsistent(directory);
  });

  it("have the same set: a renewal", { tags: "slow" }, async () => {
    const directory = copiedFolder();
    const before = readFileSync(join(directory, "ca.pem"), "utf8");
    const { caPem } = await sameSet(directory, 2, { later: 396.5 * day });
    expect(caPem).toBe(before);
    expectConsistent(directory);
  });

  it("have the same set: in one process", async () => {
    const directory = join(temporaryFolder(), "certs");
    const all = await Promise.all(Array.from({ length: 4 }, () => openWhole(directory)));
    expect(new Set(all.map(({ caPem }) => caPem)).size).toBe(1);
    expect(new Set(all.map(({ server }) => server.certPem)).size).toBe(1);
    expect(new Set(all.map(({ cursorKey }) => cursorKey.toString("hex"))).size).toBe(1);
    const certificates = await Promise.all(
      all.map(async ({ complete }) => (await complete).map(({ certPem }) => certPem)),
    );
    for (const list of certificates) expect(list).toEqual(certificates[0]);
    expect(hiddenNames(directory)).toEqual([".generation-2"]);
  });

  it("leave a complete set when two of them make everything again", { tags: "slow" }, async () => {
    const directory = copiedFolder();
    await Promise.all([
      openWhole(directory, { fresh: true }),
      openWhole(directory, { fresh: true }),
      openWhole(directory),
    ]);
    await openWhole(directory);
    expectConsistent(directory);
  });
});

describe("a process that ends when it has what the server needs", () => {
  it.skipIf(process.platform === "win32")(
    "killed: is followed by one that completes the folder",
    { tags: "slow" },
    async () => {
      const directory = join(temporaryFolder(), "certs");
      expect((await start({ directory, end: "killed" })).signal).toBe("SIGKILL");
      const before = snapshot(directory);
      const certs = await openWhole(directory);
      expect(before["ca.pem"]).toBe(snapshot(directory)["ca.pem"]);
      expect(await certs.complete).toHaveLength(10);
      expectConsistent(directory);
    },
  );

  it("by itself: leaves no temporary files", async () => {
    const directory = join(temporaryFolder(), "certs");
    await start({ directory, end: "exits" });
    expect(hiddenNames(directory)).toEqual([".generation-1"]);
    expect(existsSync(join(directory, "ca.pem"))).toBe(true);
  });
});

describe("leftovers of a crash", () => {
  const old = new Date(Date.now() - 3_700_000);
  const [ours, young, theirs] = [".making-0123456789abcdef", ".making-fedcba9876543210", ".making-something"];

  function leave(directory: string): void {
    for (const name of [ours, young, theirs]) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, "1"), "half a key");
    }
    for (const name of [ours, theirs]) utimesSync(join(directory, name), old, old);
  }

  it("are removed when they are old and have a name of the sandbox", async () => {
    const directory = temporaryFolder();
    leave(directory);
    await openWhole(directory);
    expect(hiddenNames(directory)).toEqual([".generation-2", young, theirs]);
  });

  it("are removed from a folder in which nothing else must be done", async () => {
    const directory = copiedFolder();
    leave(directory);
    const before = snapshot(join(directory, "clients"));
    await openWhole(directory);
    expect(hiddenNames(directory)).toEqual([".generation-2", young, theirs]);
    expect(snapshot(join(directory, "clients"))).toEqual(before);
  });
});

describe.skipIf(!ordinaryUser)(`a user to whom the folder is closed ${needsOrdinaryUser}`, () => {
  const user = ordinaryUser;

  it("gets the name of a folder that cannot be read", async () => {
    const directory = copiedFolder();
    chmodSync(dirname(directory), 0o755);
    closeFolder(directory, 0o000);
    const { printed } = await start({ directory }, { user });
    expect(printed).toMatchObject({ name: "CertsError", code: "FOLDER_UNUSABLE" });
    expect(printed["message"]).toBe(`Cannot read ${directory}: permission denied (EACCES).`);
  });

  it("gets the name of a folder that cannot be written", async () => {
    const parent = temporaryFolder();
    closeFolder(parent, 0o555);
    const directory = join(parent, "certs");
    const { printed } = await start({ directory }, { user });
    expect(printed["message"]).toBe(
      `Cannot write ${directory}: permission denied (EACCES). Make it writable, or choose another folder for the certificates.`,
    );
  });

  it("starts from a read-only folder if it is complete", { tags: "slow" }, async () => {
    const directory = copiedFolder();
    makeReadOnly(directory);
    const { printed } = await start({ directory }, { user });
    expect(printed["caPem"]).toBe(readFileSync(join(directory, "ca.pem"), "utf8"));
  });
});

describe("the identities of a folder that was completed by another process", () => {
  it("are the same for both", async () => {
    const directory = copiedFolder();
    const [one, other] = await Promise.all([open(directory), open(directory)]);
    expect(named(await one.complete, "renewed")).toEqual(named(await other.complete, "renewed"));
  });
});
