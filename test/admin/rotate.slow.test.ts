import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../sandbox/pki/programs.js";
import { afterTest } from "../support/cleanups.js";
import { start } from "./fixture.js";

/** Programs that read `identity.pem` once and load what they read, in a loop until their input ends. */
const readers = {
  node: [
    process.execPath,
    "-e",
    `
    const { readFileSync } = require("node:fs");
    const { createSecureContext } = require("node:tls");
    let [reads, unfit] = [0, 0];
    const different = new Set();
    process.stdin.once("end", () => { console.log(JSON.stringify({ reads, unfit, different: different.size })); process.exit(); }).resume();
    (function again() {
      for (let i = 0; i < 20; i++) {
        const text = readFileSync(process.argv[1], "utf8");
        reads += 1;
        different.add(text);
        try { createSecureContext({ cert: text, key: text }); } catch { unfit += 1; }
      }
      setImmediate(again);
    })();`,
  ],
  python: [
    "python3",
    "-c",
    `
import json, os, select, ssl, sys, tempfile
reads, unfit, different = 0, 0, set()
copy = os.path.join(tempfile.mkdtemp(), "copy.pem")
while not select.select([sys.stdin], [], [], 0)[0]:
    with open(sys.argv[1]) as file:
        text = file.read()
    reads += 1
    different.add(text)
    # The loader of Python opens a path twice: it gets a copy of what was read.
    with open(copy, "w") as file:
        file.write(text)
    try:
        ssl.create_default_context().load_cert_chain(copy)
    except ssl.SSLError:
        unfit += 1
print(json.dumps({"reads": reads, "unfit": unfit, "different": len(different)}))`,
  ],
} as const;

describe("identity.pem", () => {
  it.skipIf(missing.python).each(["node", "python"] as const)(
    "has a fitting pair at each read, over 200 rotations: %s",
    async (name) => {
      const certs = mkdtempSync(join(tmpdir(), "rotate-"));
      afterTest(() => rmSync(certs, { recursive: true, force: true }));
      const own = await start({ certs, hostCerts: certs, keyType: "ec" });
      await own.sandbox.identities;
      const [program, ...words] = readers[name];
      const child = spawn(program, [...words, join(certs, "clients/demo/identity.pem")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      for (let count = 0; count < 200; count += 1)
        expect((await own.admin.post("/clients/demo/rotate", {})).status).toBe(200);
      child.stdin.end();
      await ended;
      const { reads, unfit, different } = JSON.parse(output);
      expect(unfit).toBe(0);
      expect(reads).toBeGreaterThan(different);
      expect(different).toBeGreaterThan(20);
    },
  );
});
