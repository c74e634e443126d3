import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { start } from "./command.js";
import { inProcess } from "./in-process.js";

it("rotate replaces a certificate and its files", async () => {
  const { adminUrl, certs } = await start();
  const path = join(certs, "clients/demo/identity.pem");
  const before = readFileSync(path, "utf8");
  const words = ["rotate", "demo", "--overlap", "30s", "--valid-for", "90d", "--admin-url", adminUrl];
  const { code, stdout, stderr } = await inProcess(words);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^demo has a new certificate, valid until \S+Z: thumbprint \S{43}\nThe old one is refused from \S+Z on: thumbprint \S{43}\nIts files are in clients\/demo of the certificates folder\.\n$/,
  );
  expect(readFileSync(path, "utf8")).not.toBe(before);
});

it("rotate says that it is held half done, and how it is finished", async () => {
  const { adminUrl } = await start();
  const rotate = (...words: readonly string[]) => inProcess(["rotate", "demo", ...words, "--admin-url", adminUrl]);
  expect((await rotate("--overlap", "1h", "--hold", "key")).stdout).toMatch(
    /held half done: the file of the key is the old one\. Finish it: payments-sandbox rotate demo --finish\n$/,
  );
  expect((await rotate("--finish")).stdout).toBe("The files of demo are those of its newest certificate.\n");
});

it("rotate says what is wrong", { tags: "slow" }, async () => {
  const { adminUrl } = await start();
  const unknown = await inProcess(["rotate", "nobody", "--admin-url", adminUrl]);
  expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  expect(unknown.stderr).toBe('payments-sandbox: There is no client "nobody".\n');
  const odd = await inProcess(["rotate", "demo", "--overlap", "soon", "--admin-url", adminUrl]);
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining("overlap: give a number with a unit")]);
});
