import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { inject } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { patience } from "../support/patience.js";
import { freePort } from "../support/ports.js";
import { admin } from "./replicas.js";

/** A replica as users run it: a separate process. */
export interface Running {
  readonly url: string;
  readonly adminUrl: string;
  readonly process: ChildProcess;
  readonly errors: string[];
}

type Variables = Readonly<Record<string, string>>;

/**
 * Starts one. Resolves once it is healthy.
 * @param options additional ones
 */
export async function run(
  shared: string,
  certs: string,
  options: readonly string[] = [],
  variables: Variables = {},
): Promise<Running> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const own = ["--port", `${port}`, "--admin-port", `${adminPort}`, "--certs", certs, "--key-type", "ec"];
  const child = started([...own, "--shared", shared, "--log", "none", ...options], variables);
  const errors: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => errors.push(line));
  const running = {
    url: `https://localhost:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    process: child,
    errors,
  };
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`The replica has ended: ${errors.join("\n")}`);
    return isHealthy(running);
  });
  return running;
}

/**
 * Starts one that must fail.
 * @returns its exit status and its lines on standard error
 */
export async function failing(
  shared: string,
  certs: string,
  options: readonly string[] = [],
  variables: Variables = {},
): Promise<{ readonly status: number | null; readonly lines: readonly string[] }> {
  const own = ["--port", "0", "--admin-port", "0", "--certs", certs, "--key-type", "ec", "--shared", shared];
  const child = started([...own, ...options], variables);
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  return { status, lines: text.trim().split("\n") };
}

/** The answer of `GET /health`. */
export const health = (at: Pick<Running, "adminUrl">) => admin(at, "GET /health");

const isHealthy = (at: Pick<Running, "adminUrl">) =>
  health(at).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Waits until a replica answers. */
export const healthy = (at: Pick<Running, "adminUrl">) => eventually(() => isHealthy(at));

/** Waits until a replica says that it cannot answer. */
export const unhealthy = (at: Pick<Running, "adminUrl">) => eventually(async () => (await health(at)).status === 503);

function started(options: readonly string[], variables: Variables): ChildProcess {
  const child = spawn(process.execPath, [inject("built").cli, "start", ...options], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  afterFile(() => child.kill("SIGKILL"));
  return child;
}
