import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { project, runNode } from "./project.js";

/** Runs a program that uses the package, to its end. */
async function program(body: string) {
  const folder = project({ "main.js": `import * as library from "business-payments-sandbox";\n${body}` });
  return { ...(await runNode(folder, ["main.js"])), folder };
}

describe("the package", () => {
  it("has two functions and an error, and nothing else", async () => {
    const { stdout } = await program("console.log(Object.keys(library).sort().join())");
    expect(stdout).toBe("SandboxError,connectSandbox,startSandbox\n");
  });

  it("leaves nothing behind: the process ends by itself, and nothing was written", async () => {
    const { code, stdout, stderr, folder } = await program(`
      const { startSandbox, connectSandbox } = library;
      const [one, two] = await Promise.all([startSandbox(), startSandbox()]);
      const client = await one.createClient({ keyType: "rsa" });
      await client.useScenario({ rules: [{ when: { operation: "ping" }, then: { delay: "10ms" } }] });
      const { status } = await client.request("/v1/ping", { token: await client.token() });
      await client.request("/v1/ping").catch(() => {});
      const other = await connectSandbox({ adminUrl: two.adminUrl });
      await (await other.client("demo")).token();
      await Promise.all([one.close(), two.close()]);
      process.on("exit", () => process._rawDebug(status));
    `);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "200\n" });
    expect(readdirSync(folder).sort()).toEqual(["main.js", "node_modules", "package.json"]);
  });

  it("makes no keys any more once it is closed, and waits for those that it makes", async () => {
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

  it("ends connections that hang, when it is closed", async () => {
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

  it("installs no signal handlers, replaces no globals, and says nothing", async () => {
    const { code, stdout, stderr } = await program(`
      const signals = () => process.eventNames().map(String).filter((name) => name.startsWith("SIG")).join();
      const globals = new Map(Object.getOwnPropertyNames(globalThis).map((name) => [name, globalThis[name]]));
      const replaced = () => [...globals].filter(([name, value]) => !Object.is(globalThis[name], value)).map(([name]) => name);
      const before = signals();
      const sandbox = await library.startSandbox({ scenario: "example-error" });
      const client = await sandbox.createClient();
      await client.request("/v1/ping");
      const during = signals();
      await sandbox.close();
      console.log(JSON.stringify([before, during, replaced()]));
    `);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '["","",[]]\n', stderr: "" });
  });

  it("ends with the program that uses it, even when that one forgets to close it", async () => {
    const { code } = await program(`
      const sandbox = await library.startSandbox();
      await (await sandbox.createClient()).token();
      process.exit(3);
    `);
    expect(code).toBe(3);
  });
});
