import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Identity, KeyedCertificate } from "../../../src/sandbox/pki/certs.js";
import { folderToCopy, named, open, openWhole, snapshot, temporaryFolder } from "./fixture.js";
import { childProcesses } from "./processes.js";

const start = childProcesses(beforeAll);
const copiedFolder = folderToCopy(beforeAll);

function hiddenNames(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith("."));
}

describe("sandboxes that start on one empty folder at the same time", () => {
  it("have the same set: processes", async () => {
    const directory = join(temporaryFolder(), "certs");
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => start("opens", directory)));
    const [first = { signal: "none", printed: {} }] = outcomes;
    for (const outcome of outcomes) expect(outcome).toEqual(first);

    const { caPem, server, identities } = first.printed as {
      caPem: string;
      server: KeyedCertificate;
      identities: Identity[];
    };
    expect(readFileSync(join(directory, "ca.pem"), "utf8")).toBe(caPem);
    expect(readFileSync(join(directory, "server.pem"), "utf8")).toBe(server.certPem);
    for (const { folder, certPem } of identities) {
      expect(readFileSync(join(directory, folder, "cert.pem"), "utf8")).toBe(certPem);
    }
    expect(hiddenNames(directory)).toEqual([]);
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
    await expect.poll(() => hiddenNames(directory)).toEqual([]);
  });

  it("leave a complete set when two of them make everything again", async () => {
    const directory = copiedFolder();
    await Promise.all([
      openWhole(directory, { fresh: true }),
      openWhole(directory, { fresh: true }),
      openWhole(directory),
    ]);
    await expect(openWhole(directory)).resolves.toBeDefined();
    // A sandbox that found everything, but also a lock, looks for leftovers in the background.
    await expect.poll(() => hiddenNames(directory)).toEqual([]);
  });
});

describe("a process that is killed in the middle of a first start", () => {
  it.skipIf(process.platform === "win32")(
    "is followed by one that completes it without waiting for the lock to become old",
    async () => {
      const directory = join(temporaryFolder(), "certs");
      expect((await start("killed", directory)).signal).toBe("SIGKILL");
      expect(hiddenNames(directory)).toContain(".lock");
      const before = snapshot(directory);
      // A lock does not become old, because this time does not move.
      vi.useFakeTimers({ toFake: ["performance"] });
      onTestFinished(() => void vi.useRealTimers());
      const certs = await openWhole(directory);
      expect(readFileSync(join(directory, "ca.pem"), "utf8")).toBe(certs.caPem);
      expect(before["ca.pem"]).toBe(snapshot(directory)["ca.pem"]);
      expect(await certs.complete).toHaveLength(9);
      await expect.poll(() => hiddenNames(directory)).not.toContain(".lock");
    },
  );

  it("leaves no lock and no temporary files when it ends by itself", async () => {
    const directory = join(temporaryFolder(), "certs");
    await start("exits", directory);
    expect(hiddenNames(directory)).toEqual([]);
    expect(existsSync(join(directory, "ca.pem"))).toBe(true);
  });
});

describe("leftovers of a crash", () => {
  const old = new Date(Date.now() - 3_600_000);
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
    expect(hiddenNames(directory)).toEqual([young, theirs]);
  });

  it("are removed from a folder in which nothing else must be done", async () => {
    const directory = copiedFolder();
    leave(directory);
    writeFileSync(join(directory, ".lock"), "");
    utimesSync(join(directory, ".lock"), old, old);
    const before = snapshot(join(directory, "clients"));
    await openWhole(directory);
    await expect.poll(() => hiddenNames(directory)).toEqual([young, theirs]);
    expect(snapshot(join(directory, "clients"))).toEqual(before);
  });
});

describe.skipIf(process.getuid?.() !== 0)("another user (run as root only)", () => {
  const nobody = 65_534;

  it("gets the name of a folder that cannot be read", async () => {
    const directory = copiedFolder();
    chmodSync(directory, 0o700);
    chmodSync(join(directory, "../.."), 0o755);
    const { printed } = await start("opens", directory, nobody);
    expect(printed).toMatchObject({ name: "CertsError", code: "FOLDER_UNUSABLE" });
    expect(printed["message"]).toBe(`Cannot read ${directory}: permission denied (EACCES).`);
  });

  it("gets the name of a folder that cannot be written", async () => {
    const directory = temporaryFolder();
    chmodSync(directory, 0o755);
    const { printed } = await start("opens", directory, nobody);
    expect(printed["message"]).toBe(
      `Cannot write ${directory}: permission denied (EACCES). Make it writable, or choose another folder for the certificates.`,
    );
  });

  it("starts from a read-only folder if it is complete", async () => {
    const directory = copiedFolder();
    chmodSync(join(directory, "../.."), 0o755);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    }
    chmodSync(directory, 0o755);
    const { printed } = await start("opens", directory, nobody);
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
