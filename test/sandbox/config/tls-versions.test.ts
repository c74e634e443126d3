import { describe, expect, it } from "vitest";
import { readSetting } from "../../../src/sandbox/config/settings.js";
import { configured, problemsOf } from "./configuration.js";

describe("the versions of TLS", () => {
  it.each(["1.2", "'1.2'"])("are numbers or texts in the file: %s", async (text) => {
    const configuration = await configured(`tls: { minVersion: ${text}, maxVersion: ${text} }`);
    expect(configuration).toMatchObject({ tlsMinVersion: "1.2", tlsMaxVersion: "1.2" });
  });

  it("are 1.2 to 1.3 by default", async () => {
    expect(await configured("")).toMatchObject({ tlsMinVersion: "1.2", tlsMaxVersion: "1.3" });
  });

  it.each(["1.1", "TLSv1.2", "true"])("are no other ones: %s", async (text) => {
    expect(await problemsOf(`tls: { maxVersion: ${text} }`)).toEqual([
      expect.stringMatching(/^sandbox\.yaml:1:\d+: tls\.maxVersion: give one of 1\.2, 1\.3/),
    ]);
    expect(() => readSetting("tlsMaxVersion", text, "--tls-max-version")).toThrow("give one of 1.2, 1.3");
  });

  const none =
    "The lowest version of TLS is 1.3, and the highest is 1.2, so none is left. Lower tls.minVersion (--tls-min-version), or raise tls.maxVersion (--tls-max-version).";

  it("that leave none are an error at their place in the file", async () => {
    expect(await problemsOf("port: 1\ntls:\n  maxVersion: 1.2\n  minVersion: 1.3\n")).toEqual([
      `sandbox.yaml:4:15: ${none}`,
    ]);
  });

  it.each([
    { flags: { tlsMinVersion: "1.3" as const }, environment: {}, source: "--tls-min-version" },
    { flags: {}, environment: { SANDBOX_TLS_MIN_VERSION: "1.3" }, source: "SANDBOX_TLS_MIN_VERSION" },
  ])("that leave none are an error that names $source", async ({ source, ...given }) => {
    await expect(configured("tls: { maxVersion: 1.2 }", given)).rejects.toThrow(`${source}: ${none}`);
  });
});
