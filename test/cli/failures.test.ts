import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { issueCertificate } from "../support/certificates.js";
import { closeFolder, needsOrdinaryUser, ordinaryUser } from "../support/users.js";
import { copyOfCerts, takenPort, workFolder } from "./command.js";
import { inProcess } from "./in-process.js";
import { expectOneLine, free, start, startHere } from "./one-line.js";

// Which values are wrong, and the message for each, is tested without processes in test/sandbox/config.
describe.concurrent("one clear line and status 1", () => {
  it.each(["--port", "--admin-port"])(
    "a port in use: %s, also while scenarios are watched",
    { tags: "slow" },
    async (flag) => {
      const port = await takenPort();
      const cwd = workFolder();
      mkdirSync(join(cwd, "scenarios"));
      const outcome = await start([...free, "--certs", copyOfCerts(), flag, String(port)], { cwd });
      expectOneLine(
        outcome,
        1,
        new RegExp(`127\\.0\\.0\\.1:${port} is in use: .* another port with ${flag} \\(0 takes a free one\\)`),
      );
    },
  );

  it("a certificates folder that is a file", { tags: "slow" }, async () => {
    expectOneLine(await start(free, { cwd: workFolder({ certs: "" }) }), 1, /certs/);
  });

  it("a current folder that was removed", { tags: "slow" }, async () => {
    const gone = join(workFolder(), "gone");
    mkdirSync(gone);
    // The shell is in the folder that it removes.
    const script = `rmdir "${gone}"; exec "${process.execPath}" "${inject("built").cli}" start --port 0`;
    const [status, stderr] = await new Promise<unknown[]>((resolve) => {
      execFile("/bin/sh", ["-c", script], { cwd: gone }, (error, _stdout, text) => resolve([error?.code, text]));
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^payments-sandbox: The working directory .*\.\n$/)]);
  });
});

// Not beside others: the folders are open again when any test of the file ends.
it.skipIf(!ordinaryUser)(
  `one clear line and status 1: a certificates folder that cannot be read or created ${needsOrdinaryUser}`,
  async () => {
    const user = { ...ordinaryUser, cwd: "/" };
    const [closed, readOnly] = [join(workFolder(), "certs"), workFolder()];
    mkdirSync(closed);
    chmodSync(join(closed, ".."), 0o755);
    closeFolder(closed, 0o000);
    closeFolder(readOnly, 0o555);
    expectOneLine(await start([...free, "--certs", closed], user), 1, /certs.*(denied|EACCES)/);
    expectOneLine(await start([...free, "--certs", join(readOnly, "new")], user), 1, /new.*denied/);
  },
);

describe("one clear line instead of a file that cannot be read", () => {
  it.each([
    ["a named pipe", ["mkfifo"]],
    ["a link to a device", ["ln", "-s", "/dev/zero"]],
  ])("%s instead of a file", { tags: "slow" }, async (_name, [command = "", ...args]) => {
    const cwd = workFolder({ "c.yaml": "tls: { clientCa: [pipe] }\n" });
    const put = (path: string) => {
      rmSync(path, { force: true });
      execFileSync(command, [...args, path]);
    };
    const [certs, config, pipe] = [copyOfCerts(), join(cwd, "sandbox.yaml"), join(cwd, "pipe")];
    for (const path of [join(certs, "token-signing.key.pem"), config, pipe]) put(path);
    const refused = /token-signing\.key\.pem is not a regular file/;
    expectOneLine(await start([...free, "--certs", certs], { cwd: workFolder() }), 1, refused);
    expectOneLine(await startHere(free, { cwd }), 2, /sandbox\.yaml: This is not a regular file/);
    expectOneLine(
      await startHere([...free, "--config", "c.yaml"], { cwd }),
      2,
      /pipe cannot be read: it is not a regular/,
    );
    expectOneLine(await startHere([...free, "--scenarios", pipe]), 2, /pipe/);
  });
});

describe("one clear line and status 2", () => {
  it.each([
    [["--port", "abc"], /--port is "abc"/],
    [["--scenario", "no-such"], /no-such/],
  ])("a flag: %j", { tags: "slow" }, async (args, text) => {
    expectOneLine(await startHere([...free, "--certs", copyOfCerts(), ...args]), 2, text);
  });

  it("a variable", async () => {
    expectOneLine(await startHere(free, { env: { SANDBOX_PORT: "http" } }), 2, /SANDBOX_PORT is "http"/);
  });

  it.each([
    ["what the schema finds", "prot: 8443\n", /sandbox\.yaml:1:1: Unknown key "prot".*"port"/],
    ["a client", "clients:\n  - clientId: demo\n    certificates: [c.pem]\n", /sandbox\.yaml:2:15: .*"demo"/],
  ])("the configuration, with file, line and column: %s", { tags: "slow" }, async (_name, text, message) => {
    const cwd = workFolder({ "sandbox.yaml": text, "c.pem": issueCertificate({ commonName: "c" }).cert });
    expectOneLine(await startHere([...free, "--certs", copyOfCerts()], { cwd }), 2, message);
  });
});

describe("a command line that cannot be parsed: status 2 and a suggestion", () => {
  it.each([
    [["start", "--prot", "1"], "There is no option --prot. Did you mean --port?"],
    [["start", "--zzzzzz"], "There is no option --zzzzzz. --help after a command lists its options."],
    [["start", "--port"], "The option --port has no value. Write --port <number>."],
    [
      ["start", "extra"],
      "The command start takes no arguments, and 1 was given. payments-sandbox start --help lists its options.",
    ],
    [
      ["scenarios", "a", "b"],
      "The command scenarios takes at most 1 argument, and 2 were given. payments-sandbox scenarios --help lists its options.",
    ],
    [["import"], "The argument <file> is missing. --help after a command describes its arguments."],
    [["strat"], 'There is no command "strat". Did you mean start?'],
    [["zzzzzz"], 'There is no command "zzzzzz". payments-sandbox --help lists the commands.'],
    // What the user wrote is escaped on its way to the terminal.
    [["z\u202ez"], 'There is no command "z\\u202ez". payments-sandbox --help lists the commands.'],
    [["start", "--z\u001b[2J"], "There is no option --z\\u{1b}[2J. --help after a command lists its options."],
  ])("%j", { tags: "slow" }, async (args, text) => {
    const { code, stderr } = await inProcess(args);
    expect(stderr).toBe(`payments-sandbox: ${text}\n`);
    expect(code).toBe(2);
  });
});
