import { second } from "../base/text/duration.js";
import { printable } from "../base/text/printable.js";
import { ExchangeError } from "../library/http-exchange.js";
import { resolveConfiguration } from "../sandbox/config/resolve.js";
import { type GivenSettings, SettingError } from "../sandbox/config/settings.js";
import { addressInUrl, reachableAddress } from "../sandbox/connection/addresses.js";
import { getPlainly } from "./plain-http.js";

/** Longer than a busy machine takes to answer. Callers such as Docker have shorter limits. */
const timeoutMs = 30 * second;

/** Longest answer, in bytes: a sandbox's has some hundred. */
const longestAnswer = 10_000;

/**
 * `payments-sandbox health`: asks the sandbox of the effective configuration. Exit status 0 only when it is ready.
 * @throws SettingError when the configuration does not name the port
 */
export async function health(flags: GivenSettings): Promise<void> {
  const { adminHosts, adminPort } = await resolveConfiguration(flags, process.env, process.cwd());
  if (adminPort === 0)
    throw new SettingError("The admin port is 0, which means any free port: give the real one with --admin-port.");
  const [adminHost = "127.0.0.1"] = adminHosts;
  const url = `http://${addressInUrl(reachableAddress(adminHost))}:${adminPort}/health`;
  try {
    const { status, body } = await getPlainly(url, { timeoutMs, longest: longestAnswer });
    if (body === undefined) throw new Error("the server there is not a sandbox");
    process.stdout.write(`${printable(body.toString().trimEnd(), longestAnswer)}\n`);
    if (status !== 200) process.exitCode = 1;
  } catch (error) {
    const fix = "Start one, or give the port of its admin API with --admin-port.";
    const reason = reasonOf(error as Error);
    process.stderr.write(`payments-sandbox: ${printable(`No sandbox answers at ${url}: ${reason}. ${fix}`)}\n`);
    process.exitCode = 1;
  }
}

/** Why there was no answer, without the full stop. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const { message, code } = error;
  if (error instanceof ExchangeError && error.kind === "too-late")
    return `there was no answer within ${timeoutMs / second} seconds`;
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name is not known here";
  return message;
}
