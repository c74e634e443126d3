import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import { folderWith } from "./configuration.js";

const read = async (flags: object, environment: Record<string, string> = {}, files: Record<string, string> = {}) =>
  (await resolveConfiguration(flags, environment, folderWith(files))).shared;

describe("the state that sandboxes share", () => {
  it("is off unless it is requested, by flag, variable or file", async () => {
    expect(await read({})).toBe(undefined);
    expect(await read({ shared: "redis://a:1/2" })).toMatchObject({ url: "redis://a:1/2", user: undefined });
    expect(await read({}, { SANDBOX_SHARED: "rediss://b" })).toMatchObject({ url: "rediss://b" });
    expect(await read({}, {}, { "sandbox.yaml": "shared: redis://c\n" })).toMatchObject({ url: "redis://c" });
  });

  it("takes user and password from a variable if the URL has none", async () => {
    const environment = { SANDBOX_SHARED_USER: "me", SANDBOX_SHARED_PASSWORD: "secret" };
    expect(await read({ shared: "redis://a" }, environment)).toMatchObject({ user: "me", password: "secret" });
    const given = await read({ shared: "redis://you:other@a" }, environment);
    expect(given).toMatchObject({ user: undefined, password: undefined });
  });

  it("has a CA and a client certificate, for TLS only", async () => {
    const folder = folderWith({ "ca.pem": "CA", "cert.pem": "CERT", "key.pem": "KEY" });
    const tls = {
      sharedCa: join(folder, "ca.pem"),
      sharedCert: join(folder, "cert.pem"),
      sharedKey: join(folder, "key.pem"),
    };
    expect(await read({ shared: "rediss://a", ...tls })).toMatchObject({ ca: "CA", cert: "CERT", key: "KEY" });
    await expect(read({ shared: "redis://a", ...tls })).rejects.toThrow("rediss://");
    await expect(read({ shared: "rediss://a", sharedCert: tls.sharedCert })).rejects.toThrow("go together");
    await expect(read({ shared: "rediss://a", sharedCa: "no.pem" })).rejects.toThrow("--shared-ca");
    const folderAsCa = read({ shared: "rediss://a", sharedCa: "." });
    await expect(folderAsCa).rejects.toThrow("The file . cannot be read: it is a folder, not a file.");
  });

  it.each(["http://a", "redis", "redis://", "redis://a/b", "redis://a/1/2", "redis://%zz:x@a", "redis://a:99999"])(
    "%s is not the address of a Redis",
    async (shared) => {
      await expect(read({ shared })).rejects.toThrow("redis://HOST:PORT/DATABASE");
    },
  );
});
