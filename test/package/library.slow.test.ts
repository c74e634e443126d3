import { describe, expect, it } from "vitest";
import { program } from "./project.js";

// More of library.test.ts.

describe("the package", () => {
  it("makes no new keys once it is closed, and waits for those in progress", async () => {
    const { stdout } = await program(`
      const { createHook } = await import("node:async_hooks");
      const [begun, finished] = [new Set(), new Set()];
      createHook({
        init: (id, type) => void (type === "KEYPAIRGENREQUEST" && begun.add(id)),
        before: (id) => void (begun.has(id) && finished.add(id)),
      }).enable();
      const sandbox = await library.startSandbox();
      await sandbox.createClient({ keyType: "rsa" });
      const asked = sandbox.createClient({ keyType: "rsa" }).catch(() => {});
      await sandbox.close();
      const [open, total] = [begun.size - finished.size, begun.size];
      await asked;
      process.on("exit", () => console.log(total > 0, open, begun.size - total));
    `);
    expect(stdout).toBe("true 0 0\n");
  });

  it("ends hanging connections when it is closed", async () => {
    const { code, stdout } = await program(`
      const sandbox = await library.startSandbox();
      const client = await sandbox.createClient();
      await client.useScenario({ rules: [{ then: { connection: { kind: "hang", duration: "120s" } } }] });
      const hanging = client.request("/v1/ping").then(() => "answered", () => "broken");
      const events = fetch(sandbox.adminUrl + "/requests/stream").then((answer) => answer.text());
      await new Promise((resolve) => setTimeout(resolve, 100));
      await sandbox.close();
      await events.catch(() => {});
      console.log(await hanging);
    `);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "broken\n" });
  });

  it("ends with the program that uses it, even if the program does not close it", async () => {
    const { code } = await program(`
      const sandbox = await library.startSandbox();
      await (await sandbox.createClient()).token();
      process.exit(3);
    `);
    expect(code).toBe(3);
  });
});
