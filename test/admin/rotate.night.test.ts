import { describe, expect, it } from "vitest";
import { missing } from "../sandbox/pki/programs.js";
import { readWhileRotating, startInFolder } from "./rotating.js";

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
      const { reads, unfit, different } = await readWhileRotating(await startInFolder(), readers[name], 200);
      expect(unfit).toBe(0);
      expect(reads).toBeGreaterThan(different);
      expect(different).toBeGreaterThan(20);
    },
  );
});
