import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { FolderWatch } from "../../../src/sandbox/scenarios/folder-watch.js";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { eventually } from "../../support/eventually.js";

// Like a folder that Docker Desktop shares with its virtual machine, or a network drive: the system sends no
// notifications.
vi.mock("node:fs", async (original) => {
  const watch = () => ({ on: () => {}, unref: () => {}, close: () => {} });
  return { ...(await original<typeof import("node:fs")>()), watch };
});
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, statfs: vi.fn(real.statfs) };
});

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "watched-"));
  cleanups.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const answering = (code: string) => `description: x\nrules:\n  - then: { error: ${code} }\n`;

it("a saved file takes effect if the system sends no notifications", async () => {
  const path = folder();
  const library = await ScenarioLibrary.open({
    builtIn: "/nonexistent",
    folder: path,
    watching: { poll: true, pollTime: 5 },
  });
  cleanups.push(() => library.close());
  const code = () => library.scenario("one")?.rules[0]?.words.replace("the error ", "");
  writeFileSync(join(path, "one.yaml"), answering("NOT_FOUND"));
  await eventually(() => code() === "NOT_FOUND");
  writeFileSync(join(path, "one.yaml"), answering("FORBIDDEN"));
  await eventually(() => code() === "FORBIDDEN");
  unlinkSync(join(path, "one.yaml"));
  await eventually(() => code() === undefined);
});

it.runIf(process.platform === "linux").each([
  ["virtiofs and other FUSE", 0x65735546, true],
  ["9p, as WSL mounts a drive of Windows", 0x01021997, true],
  ["NFS", 0x6969, true],
  ["ext4", 0xef53, false],
  ["overlayfs", 0x794c7630, false],
])("%s (%i): whether the folder is polled: %s", async (_name, type, looks) => {
  vi.mocked(statfs).mockResolvedValueOnce({ type } as never);
  const path = folder();
  let changes = 0;
  const watch = new FolderWatch(
    path,
    () => {
      changes += 1;
    },
    { pollTime: 5 },
  );
  cleanups.push(() => watch.close());
  // The first poll always reports a change. Without polling, the test can only wait for nothing.
  if (looks) await eventually(() => changes > 0);
  else await new Promise((resolve) => setTimeout(resolve, 100));
  expect(changes > 0).toBe(looks);
});

it("reports nothing once it is closed", async () => {
  const path = folder();
  let changes = 0;
  const onChange = () => {
    changes += 1;
  };
  const [watch, other] = [1, 2].map(() => new FolderWatch(path, onChange, { poll: true, pollTime: 5 }));
  watch?.close();
  cleanups.push(() => other?.close());
  await eventually(() => changes === 1);
  writeFileSync(join(path, "one.yaml"), "x");
  await eventually(() => changes === 2);
});
