import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Programs that some tests need; those tests are visibly skipped if one is missing. */
export const missing = {
  openssl: spawnSync("openssl", ["version"]).status !== 0,
  python: spawnSync("python3", ["-c", "import ssl; ssl.VERIFY_X509_STRICT"]).status !== 0,
  keytool: spawnSync("keytool", ["-help"]).status !== 0,
  sh: process.platform === "win32",
};

/** Runs a program until it ends. */
export async function run(program: string, ...parameters: string[]): Promise<{ status: number; output: string }> {
  try {
    const { stdout, stderr } = await execute(program, parameters);
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, output: stdout + stderr };
  }
}

/** What openssl says of a PKCS#12 bundle with the usual password, and its contents. */
export function opened(bundle: string): Promise<{ status: number; output: string }> {
  return run("openssl", "pkcs12", "-in", bundle, "-passin", "pass:sandbox", "-nodes", "-info");
}
