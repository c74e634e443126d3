import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { workFolder } from "../cli/command.js";
import { root } from "./markdown.js";
import { type Ran, Shell, type ShellName, Terminal } from "./shell.js";

/** A test suite in any language: it requests a token. */
const suite = `#!/usr/bin/env bash
set -eu
form=(-d grant_type=client_credentials -d "client_id=$SANDBOX_CLIENT_ID" -d scope=read)
curl -sS --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" "\${form[@]}" \\
  "$SANDBOX_URL/oauth/v2/oauth-token" >/dev/null
`;

/** The command of `npm start` after the build. */
const startCommand = "node dist/cli.js start";

/**
 * Replacements for programs of a reader's machine; nothing else is replaced. `npm start` starts what was built for the
 * tests; `npm ci` has nothing to do; the package that `npx` would run is the built one; `docker` refuses; `pytest` and
 * `mvn` are test suites of a reader, which get a token from the sandbox that they find in the environment.
 */
const standIns: Readonly<Record<string, string>> = {
  npm: `#!/usr/bin/env bash
case "$*" in
  ci) ;;
  start) exec ${startCommand} ;;
  "start -- "*) exec ${startCommand} "\${@:3}" ;;
  *) echo "test/documentation/desk.ts replaces npm, and does not know: npm $*" >&2; exit 64 ;;
esac
`,
  npx: `#!/usr/bin/env bash
[ "$1 $2" = "--no-install payments-sandbox" ] || { echo "test/documentation/desk.ts replaces npx, and does not know: npx $*" >&2; exit 64; }
exec "\${@:2}"
`,
  "payments-sandbox": `#!/usr/bin/env bash
exec node "BUILT" "$@"
`,
  docker: `#!/usr/bin/env bash
echo "Tests run no containers: name the command in test/documentation/exceptions.ts, with the reason." >&2; exit 64
`,
  pytest: suite,
  mvn: suite,
};

/** The ports of the documents, in the order of the API and the admin API. */
const documented = ["localhost:8443", "localhost:8090"] as const;

/** A reader's desk: a fresh clone in which nothing was started yet, a shell, and a terminal for the sandbox. */
export class Desk {
  readonly folder = join(workFolder(), "a clone, ö");
  readonly #env: Readonly<Record<string, string>>;
  readonly #shell: Shell;
  #terminal: Terminal | undefined;
  #places: readonly string[] = documented;

  constructor(shell: ShellName) {
    const { folder: built, cli } = inject("built");
    mkdirSync(this.folder);
    for (const name of ["scenarios", "examples", "sandbox.yaml", "package.json"])
      cpSync(join(root, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(built, "dist"), join(this.folder, "dist"));
    const bin = join(workFolder(), "bin");
    mkdirSync(bin);
    for (const [name, text] of Object.entries(standIns)) {
      writeFileSync(join(bin, name), text.replace("BUILT", cli));
      chmodSync(join(bin, name), 0o755);
    }
    this.#env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: workFolder() };
    this.#shell = new Shell(shell, this.folder, this.#env);
  }

  /**
   * Starts a sandbox in the terminal, and first stops one that already runs there. Free ports are used instead of the
   * usual ones.
   */
  async start(command = "npm start"): Promise<void> {
    await this.#terminal?.interrupt();
    const [port, adminPort] =
      this.#places === documented ? ["0", "0"] : this.#places.map((place) => place.split(":")[1]);
    const settings = { SANDBOX_PORT: `${port}`, SANDBOX_ADMIN_PORT: `${adminPort}`, SANDBOX_KEY_TYPE: "ec" };
    this.#terminal = new Terminal(command, this.folder, { ...this.#env, ...settings });
    const [, api = "", admin = ""] = await this.#terminal.waitFor(/Ready on https:\/\/(\S+) \(admin http:\/\/(\S+)\)/);
    this.#places = [api, admin];
    // The last identities may not have been written to the folder yet.
    while (!(await fetch(`http://${admin}/health`)).ok) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Runs a command in the shell. In its output, the ports are the usual ones again. */
  async run(command: string): Promise<Ran> {
    const { status, output, errors } = await this.#shell.run(this.#here(command));
    return { status, output: this.#asDocumented(output), errors: this.#asDocumented(errors) };
  }

  /** What the sandbox has printed in its terminal. */
  get console(): string {
    return this.#asDocumented(this.#terminal?.printed ?? "");
  }

  /** The first of these programs that is missing on this machine. */
  async missing(programs: readonly string[]): Promise<string | undefined> {
    for (const program of programs) {
      const { status } = await this.#shell.run(`command -v ${program} >/dev/null`);
      if (status !== 0) return program;
    }
    // Debian has it in a package of its own.
    const hasCurl = !programs.includes("php") || (await this.#shell.run("php -m | grep -qx curl")).status === 0;
    return hasCurl ? undefined : "the curl extension of php";
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  #here(command: string): string {
    return documented.reduce((text, place, index) => text.replaceAll(place, this.#places[index] ?? place), command);
  }

  #asDocumented(text: string): string {
    return documented.reduce((shown, place, index) => shown.replaceAll(this.#places[index] ?? place, place), text);
  }
}

/** @throws Error if `startCommand` differs from package.json */
export function assertStandInForStart(): void {
  const { start } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
  if (start !== startCommand.replace("dist/cli.js", "scripts/start.mjs"))
    throw new Error(`The replacement in desk.ts differs from package.json: ${start}`);
}
