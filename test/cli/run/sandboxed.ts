import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { CommandProcess, type Outcome, type RunOptions, workFolder } from "../command.js";

/** Gets a token, pings and makes some mistakes, like a test suite in another language. */
export const pythonClient = `
import json, os, ssl, urllib.error, urllib.parse, urllib.request
env = os.environ
tls = ssl.create_default_context(cafile=env["SANDBOX_CA_FILE"])
tls.load_cert_chain(env["SANDBOX_CERT_FILE"], env["SANDBOX_KEY_FILE"])
def call(path, token=None, form=None, context=tls):
    headers = {"Authorization": "Bearer " + token} if token else {}
    request = urllib.request.Request(env["SANDBOX_URL"] + path, data=form, headers=headers)
    try:
        return json.load(urllib.request.urlopen(request, context=context))
    except urllib.error.HTTPError as error:
        return json.load(error)
form = {"grant_type": "client_credentials", "client_id": env["SANDBOX_CLIENT_ID"], "scope": "read"}
token = call("/oauth/v2/oauth-token", form=urllib.parse.urlencode(form).encode())["access_token"]
print(call("/v1/ping", token)["status"])
print(call("/v1/payments?pageSize=500", token)["code"])
print(call("/v1/payments?pageSize=0", token)["code"])
try:
    call("/v1/ping", token, context=ssl.create_default_context())
except urllib.error.URLError as error:
    print(type(error.reason).__name__)
`;

/** The folder for the temporary folders of a test's processes. It is empty when they have cleaned up. */
export function temporary(): { readonly env: Record<string, string>; readonly left: () => string[] } {
  const folder = workFolder();
  return { env: { TMPDIR: folder }, left: () => readdirSync(folder) };
}

/** Runs a command until it ends, and expects that nothing is left of the sandbox. */
export async function sandboxed(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { env, left } = temporary();
  const outcome = await new CommandProcess(["run", ...args], { ...options, env: { ...env, ...options.env } }).ended;
  expect(left()).toEqual([]);
  return outcome;
}

/** The output of a program. */
export function outputOf(program: string, args: readonly string[], env: Record<string, string>, input = ""): string {
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return execFileSync(program, args, {
    input,
    stdio: [...stdio],
    env: { PATH: process.env["PATH"], ...env },
  }).toString();
}

export const shell = (script: string): string[] => ["--", "sh", "-c", script];
export const node = (script: string): string[] => ["--", process.execPath, "-e", script];

/** Expects that a signal is passed on to the command, and that its end is awaited. */
export async function expectPassedOn(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  const { env, left } = temporary();
  const script = `process.once("${signal}", () => setTimeout(() => process.exit(9), 50)); setInterval(() => {}, 1000); console.log("up")`;
  const command = new CommandProcess(["run", ...node(script)], { env });
  await command.waitFor(/up/);
  expect(left()).toHaveLength(1);
  const { code, stderr } = await command.stop(signal);
  expect(code).toBe(9);
  expect(stderr).toMatch(/No request reached the sandbox\.\n/);
  expect(left()).toEqual([]);
}
