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

it("rotate says that it is held half done, and how it is finished", { tags: "slow" }, async () => {
  const { adminUrl } = await start();
  const rotate = (...words: readonly string[]) => inProcess(["rotate", "demo", ...words, "--admin-url", adminUrl]);
  expect((await rotate("--overlap", "1h", "--hold", "key")).stdout).toMatch(
    /held half done: the file of the key is the old one\. Finish it: payments-sandbox rotate demo --finish\n$/,
  );
  expect((await rotate("--finish")).stdout).toBe("The files of demo are those of its newest certificate.\n");
});

it.each([
  ["--finish cannot be combined with --overlap, --hold-for: ", "--finish", "--overlap", "1h", "--hold-for", "1s"],
  ["--hold-for needs --hold: add --hold key or --hold certificate.", "--hold-for", "1s"],
  ["--hold cannot be combined with --same-key: leave out one of them.", "--hold", "key", "--same-key"],
  ["--key-type cannot be combined with --same-key: ", "--key-type", "rsa", "--same-key"],
])("rotate says %j", async (message, ...words) => {
  const { code, stdout, stderr } = await inProcess(["rotate", "demo", ...words]);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(`payments-sandbox: ${message}`)]);
});

it("rotate names its options, and the help says how long a rotation is held", { tags: "slow" }, async () => {
  const { adminUrl } = await start();
  const rotate = (...words: readonly string[]) => inProcess(["rotate", ...words, "--admin-url", adminUrl]);
  expect((await rotate("demo", "--hold", "key", "--hold-for", "2h")).stderr).toMatch(
    /^payments-sandbox: --hold-for: give a number with a unit: .*, at most 1h\.\n$/,
  );
  expect((await rotate("demo", "--hold", "lock", "--valid-for", "soon")).stderr).toMatch(
    /^payments-sandbox: --valid-for: .* --hold: give key or certificate\.\n$/,
  );
  expect((await rotate("demo", "--key-type", "dsa")).stderr).toMatch(/^payments-sandbox: --key-type: /);
  expect((await inProcess(["rotate", "--help"])).stdout).toMatch(
    /--hold-for <duration>\s+how long it stays old, up to 1h/,
  );
});

it("rotate says what is wrong", { tags: "slow" }, async () => {
  const { adminUrl } = await start();
  const unknown = await inProcess(["rotate", "nobody", "--admin-url", adminUrl]);
  expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  expect(unknown.stderr).toBe('payments-sandbox: There is no client "nobody".\n');
  const odd = await inProcess(["rotate", "demo", "--overlap", "soon", "--admin-url", adminUrl]);
  expect([odd.code, odd.stderr]).toEqual([
    2,
    expect.stringContaining("payments-sandbox: --overlap: give a number with a unit"),
  ]);
});
