import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Output } from "../../../src/cli/run/running-commands.js";
import { inProcess } from "../in-process.js";
import { node, temporary } from "./sandboxed.js";

const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJlLW9mLWEtdG9rZW4";
const pem = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "pem", type: "pkcs8" });

function linesOf(text: string, most = 10_000): readonly string[] {
  const output = new Output(most);
  output.add(text);
  return output.lines.lines;
}

describe("what a command printed, as the exam shows it", () => {
  it.each([
    ["a token", `token: ${token} end`, "token: [redacted] end"],
    ["a token in JSON", '{"access_token":"opaque-4711"}', '{"access_token":"[redacted]"}'],
    ["a token of another form", "Bearer opaque-4711 was refused", "Bearer [redacted] was refused"],
    ["a header", "Authorization: Basic ZGVtbzpzZWNyZXQ=", "Authorization: Basic [redacted]"],
    ["a header in an object", "{ authorization: 'Bearer opaque' }", "{ authorization: 'Bearer [redacted]' }"],
    ["a header with a bare value", '"authorization":"opaque-token"', '"authorization":"[redacted]"'],
    [
      "a flag",
      "> sdk --token=opaque --client-secret 'a b' --user me",
      "> sdk --token=[redacted] --client-secret [redacted] --user me",
    ],
    ["a private key", `key:\n${pem}end`, "key:\n[redacted]\nend"],
  ])("%s is replaced", (_what, text, shown) => {
    expect(linesOf(text).join("\n")).toBe(shown);
  });

  it.each([
    "Bearer authentication is required",
    "authorization: none",
    "--fail-on must -- npm test --verbose",
    "HTTP 401 for /v1/ping?cursor=a1b2c3d4e5f6",
  ])("other text stays: %s", (text) => {
    expect(linesOf(text)).toEqual([text]);
  });

  it("has no rest of a key or a token whose beginning was cut", () => {
    const last = (text: string, cut: number) => linesOf(`${text}\nend`, text.length + 4 - cut);
    expect(last(`${pem}`.trim(), 60)).toEqual(["", "end"]);
    expect(last(token, 10)).toEqual(["end"]);
    const inOneLine = (text: string, cut: number) => linesOf(`${text} the end`, text.length + 8 - cut);
    expect(inOneLine(token, 10)).toEqual([" the end"]);
    expect(inOneLine(`words and ${token}`, 3)).toEqual([" and [redacted] the end"]);
  });

  it("is not on the console of the exam", { tags: "slow" }, async () => {
    const { env } = temporary();
    const script = `
      import { readFileSync } from "node:fs";
      console.log(readFileSync(process.env.SANDBOX_KEY_FILE, "utf8"));
      console.error("sent Authorization: Bearer ${token}");
      process.exit(1);`;
    for (const flags of [[], ["--verbose"]]) {
      const args = ["exam", "--drill", "plain", ...flags, ...node(script)];
      const { stdout, stderr } = await inProcess(args, { env });
      expect(stdout + stderr).toContain("    [redacted]\n");
      expect(stdout + stderr).toContain("    sent Authorization: Bearer [redacted]\n");
      expect(stdout + stderr).not.toMatch(/PRIVATE|eyJ/);
    }
  });
});
