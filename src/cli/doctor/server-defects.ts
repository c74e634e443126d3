import { enumerated } from "../../base/text/enumerated.js";
import { counted } from "../../base/text/numbers.js";
import { type Sandbox, startSandbox } from "../../library/composition/sandbox.js";
import { located } from "../../library/start-located.js";
import { isEndedByServer } from "../../sandbox/connection/connection-facts.js";
import {
  defectFacts,
  defectsWithUrl,
  type PresentedDefect,
  type ServerDefect,
  serverDefects,
} from "../../sandbox/connection/server-defect.js";
import { diversionText, sandboxHosts } from "../proxies.js";
import type { Ending } from "../run/command.js";
import { withCommands } from "../run/many-runs.js";
import { environmentOf, ownConfiguration } from "../run/own-sandbox.js";
import { Output, type RunningCommands } from "../run/running-commands.js";
import type { SignalRelay } from "../run/signals.js";

type Words = readonly [string, ...string[]];

/** What a command did with a certificate. */
type Reaction = "accepts" | "refuses" | "sends nothing";

/** How much of what the command prints is shown if it does not get on, in characters. */
const mostOutput = 4000;

/** A command may take this long with each certificate, in milliseconds. */
const timeout = 60_000;

/**
 * `payments-sandbox doctor --server-defects -- COMMAND …`: runs a command against its own sandbox, once with the usual
 * certificate of the server and once with each defect of it, and prints what it accepts. `SANDBOX_URL` is where the
 * certificate is; the other variables are those of `run`. Exit status 1 if the command accepts what all clients refuse,
 * or does not get on with the usual certificate.
 * @throws SettingError for a setting that cannot be used
 */
export async function tryServerDefects(command: Words): Promise<void> {
  await withCommands(async (folder, commands, relay) => {
    relay.passTo((signal) => commands.endAll(signal));
    const own = await ownConfiguration({ report: "on" }, folder);
    const configuration = { ...own, defectPorts: serverDefects.map(() => 0) };
    const sandbox = await located(configuration, () => startSandbox(configuration, { ownsProcess: true }));
    try {
      await sandbox.identities;
      const attempts = new Attempts(sandbox, command, environmentOf(sandbox, configuration), commands);
      const diversion = diversionText(process.env, sandboxHosts(configuration));
      await tryAll(attempts, sandbox, diversion, relay);
    } finally {
      await sandbox.close(0);
    }
  });
}

async function tryAll(
  attempts: Attempts,
  { url, defectUrls }: Sandbox,
  diversion: string,
  relay: SignalRelay,
): Promise<void> {
  const isEnded = () => relay.received !== undefined;
  const output = new Output(mostOutput);
  const usual = await attempts.make("usual", url, output);
  if (usual.ending.kind === "not-started") {
    process.stderr.write(`payments-sandbox: ${usual.ending.reason}\n`);
    process.exitCode = usual.ending.status;
    return;
  }
  if (usual.reaction !== "accepts" && !isEnded()) {
    const printed = output.lines.lines.map((line) => `  ${line}\n`).join("");
    process.stderr.write(
      `payments-sandbox: No request came over a good certificate, so nothing can be said about the others. Does the command use SANDBOX_URL and SANDBOX_CA_FILE?${usual.reaction === "sends nothing" ? diversion : ""} It printed:\n${printed}`,
    );
    process.exitCode = 1;
    return;
  }
  const write = (name: string, reaction: Reaction, remark = "") =>
    process.stdout.write(`${`${name.padEnd(22)}${reaction.padEnd(18)}${remark}`.trimEnd()}\n`);
  write("the usual one", usual.reaction);
  let wrong = 0;
  for (const { defect, url: ofDefect } of defectsWithUrl(defectUrls)) {
    if (isEnded()) break;
    const { reaction } = await attempts.make(defect, ofDefect, new Output(0));
    if (isEnded()) break;
    const { acceptedBy } = defectFacts(defect);
    if (reaction === "accepts" && acceptedBy === undefined) wrong += 1;
    write(defect, reaction, remarkOn(reaction, acceptedBy));
  }
  process.exitCode = relay.status ?? (wrong > 0 ? 1 : 0);
  if (!isEnded())
    process.stdout.write(
      wrong === 0
        ? "\nThe client accepts nothing that all others refuse.\n"
        : `\nThe client accepts ${counted(wrong, "certificate")} that it must refuse: turn the verification of certificates and host names on.\n`,
    );
}

function remarkOn(reaction: Reaction, acceptedBy: readonly string[] | undefined): string {
  if (reaction !== "accepts") return "";
  if (acceptedBy === undefined) return "a security bug: all other clients refuse it";
  return `weak; ${enumerated(acceptedBy, "and")} ${acceptedBy.length === 1 ? "does" : "do"} so, too, by default`;
}

/** Runs the command with one certificate after the other, and watches what reaches the sandbox. */
class Attempts {
  readonly #sandbox: Sandbox;
  readonly #command: Words;
  readonly #env: NodeJS.ProcessEnv;
  readonly #commands: RunningCommands;
  /** The certificates over which a request came, and those whose connection the client ended without one. */
  readonly #accepted = new Set<ServerDefect | "usual">();
  readonly #refused = new Set<ServerDefect | "usual">();

  constructor(sandbox: Sandbox, command: Words, env: NodeJS.ProcessEnv, commands: RunningCommands) {
    this.#sandbox = sandbox;
    this.#command = command;
    this.#env = env;
    this.#commands = commands;
    const nameOf = (presented: PresentedDefect | undefined) => presented?.defect ?? "usual";
    const { requests, handshakes } = sandbox.journal;
    requests.subscribe(({ item }) => this.#accepted.add(nameOf(item.connection?.serverDefect)));
    handshakes.subscribe(({ item }) => {
      if (!isEndedByServer(item.end)) this.#refused.add(nameOf(item.serverDefect));
    });
  }

  /** Runs the command against a URL. */
  async make(
    certificate: ServerDefect | "usual",
    url: string,
    output: Output,
  ): Promise<{ reaction: Reaction; ending: Ending }> {
    const env = { ...this.#env, SANDBOX_URL: url };
    const until = AbortSignal.timeout(timeout);
    const ending = await this.#commands.run(this.#command, env, { until, output });
    // It waits for connections that are about to end.
    await this.#sandbox.exam?.report();
    if (this.#accepted.has(certificate)) return { reaction: "accepts", ending };
    return { reaction: this.#refused.has(certificate) ? "refuses" : "sends nothing", ending };
  }
}
