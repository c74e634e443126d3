import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { OutsideClient } from "./sandbox.js";

export const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

interface CurlResult {
  /**
   * curl's exit status: 52 for an empty answer, 56 for a failed receive, 18 for a truncated body, 28 for a time-out.
   */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs curl as a client, with verification on. */
export async function curl(client: OutsideClient, ...args: string[]): Promise<CurlResult> {
  const folder = mkdtempSync(join(tmpdir(), "curl-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { ca, certificate, key, url } = client.material;
  const file = (name: string, text: string) => {
    const path = join(folder, `${client.id}-${name}`);
    writeFileSync(path, text);
    return path;
  };
  const identity = [
    "--cacert",
    file("ca.pem", ca),
    "--cert",
    file("cert.pem", certificate),
    "--key",
    file("key.pem", key),
  ];
  const token = ["-H", `Authorization: Bearer ${await client.token()}`];
  const targets = args.map((argument) => (argument.startsWith("/") ? url + argument : argument));
  return new Promise((resolve) => {
    execFile("curl", ["-sS", ...identity, ...token, ...targets], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** The header that chooses a scenario, for curl. */
export const scenario = (name: string) => ["-H", `Sandbox-Scenario: ${name}`];
