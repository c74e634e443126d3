import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { program } from "./project.js";

describe("the package", () => {
  it("exports only two functions and an error", async () => {
    const { stdout } = await program("console.log(Object.keys(library).sort().join())");
    expect(stdout).toBe("SandboxError,connectSandbox,startSandbox\n");
  });

  it("leaves nothing behind: the process ends by itself, and no file was written", { tags: "slow" }, async () => {
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

  it("installs no signal handlers, replaces no globals, and prints nothing", { tags: "slow" }, async () => {
    const { code, stdout, stderr } = await program(`
      const signals = () => process.eventNames().map(String).filter((name) => name.startsWith("SIG")).join();
      // Node 26 prints a warning when localStorage is read.
      const names = Object.getOwnPropertyNames(globalThis).filter((name) => name !== "localStorage");
      const globals = new Map(names.map((name) => [name, globalThis[name]]));
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
});
