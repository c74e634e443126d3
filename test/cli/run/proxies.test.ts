import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { readReport } from "./exam-client.js";
import { explored } from "./explored.js";
import { curlClient, nodeBehindProxy, proxiedClients } from "./proxied-clients.js";
import { sandboxed, shell, temporary } from "./sandboxed.js";

// Nothing listens there.
const nowhere = "http://user:hidden@127.0.0.1:9";
const proxies = { HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere };

const isolated = (env: Readonly<Record<string, string>>) => ({ ...temporary().env, ...env });

describe.each(proxiedClients)("behind a proxy, $name (skipped where it is missing)", ({ isMissing, command, env }) => {
  describe.skipIf(isMissing)("reaches the sandbox", { tags: "slow" }, () => {
    it("of run", async () => {
      const { code, stderr } = await inProcess(["run", ...command()], { env: isolated({ ...proxies, ...env }) });
      expect(stderr).toContain("The sandbox saw 2 requests");
      expect(code).toBe(0);
    });

    it("of exam", async () => {
      const cwd = workFolder();
      const args = ["exam", "--drill", "plain", "--report", "report.json", ...command()];
      const { stdout } = await inProcess(args, { cwd, env: isolated({ ...proxies, ...env }) });
      expect(readReport(`${cwd}/report.json`).verdicts, stdout).toEqual(["plain pass"]);
    });

    it("of explore", async () => {
      const { stderr } = await explored(["--shallow", "1", ...command()], { ...proxies, ...env });
      expect(stderr).toContain("2 points and 1 cell;");
    });
  });
});

const curl = shell(curlClient);
const withoutVariable = shell(`unset NO_PROXY no_proxy\n${curlClient}`);

/** The line of a message that fixes it. */
const lineIn = (text: string) => /`(export NO_PROXY=[^`]*)`/.exec(text.replaceAll(/\n */g, " "))?.[1] ?? "";

describe.skipIf(proxiedClients[0]?.isMissing)("the variables of a command (skipped without curl)", () => {
  it("reach the sandbox, whatever the environment has", async () => {
    const env = { https_proxy: nowhere, NO_PROXY: "a.example, b.example", no_proxy: "" };
    const { code, stdout, stderr } = await sandboxed(shell(`printenv NO_PROXY no_proxy\n${curlClient}`), { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining("The sandbox saw 2 requests")]);
    const value = "a.example,b.example,localhost,sandbox,host.docker.internal,127.0.0.1,::1";
    expect(stdout.trim().split("\n").slice(0, 2)).toEqual([value, value]);
  });

  it("have the names of --hostname and the addresses of the ports", { tags: "slow" }, async () => {
    const args = ["run", "--hostname", "Pay.Test", "--host", "127.0.0.2", "--admin-host", "127.0.0.3"];
    const { stdout } = await run([...args, ...shell("printenv NO_PROXY")]);
    expect(stdout.trim().split(",")).toEqual(
      expect.arrayContaining(["localhost", "pay.test", "127.0.0.2", "127.0.0.3"]),
    );
  });

  it("are those of doctor --server-defects, too", { tags: "slow" }, async () => {
    const { code, stdout } = await inProcess(["doctor", "--server-defects", ...curl], { env: isolated(proxies) });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^the usual one +accepts$/m);
  });
});

describe.skipIf(proxiedClients[0]?.isMissing)(
  "what is told of a command that reached nothing (skipped without curl)",
  { tags: "slow" },
  () => {
    const tried = {
      run: async (...words: string[]) => inProcess(["run", ...words], { env: isolated(proxies) }),
      exam: async (...words: string[]) => inProcess(["exam", "--drill", "plain", ...words], { env: isolated(proxies) }),
      explore: async (...words: string[]) => explored(["--shallow", "1", ...words], proxies),
      doctor: async (...words: string[]) =>
        inProcess(["doctor", "--server-defects", ...words], { env: isolated(proxies) }),
    };

    it.each(Object.entries(tried))(
      "%s names the variables that divert, and the line that fixes it",
      async (_, trial) => {
        const diverted = await trial(...withoutVariable);
        const text = (diverted.stdout + diverted.stderr).replaceAll(/\n */g, " ");
        expect(text).toContain("HTTPS_PROXY, HTTP_PROXY are set: a command that removes NO_PROXY");
        expect(text).toContain("or `unset HTTPS_PROXY HTTP_PROXY`.");
        expect(text).not.toContain("hidden");
        const fixed = await trial(...shell(`unset NO_PROXY no_proxy; ${lineIn(text)}\n${curlClient}`));
        expect(fixed.stdout + fixed.stderr).not.toContain("HTTPS_PROXY");
      },
    );

    it("says nothing of proxies if something connected, or none is set", async () => {
      const refuses = shell('curl -sS --noproxy "*" "$SANDBOX_URL"');
      for (const [words, env] of [
        [refuses, proxies],
        [shell("true"), { HTTPS_PROXY: "", NO_PROXY: "a" }],
      ] as const) {
        const { stderr } = await inProcess(["run", ...words], { env: isolated(env) });
        expect(stderr).toContain("No request reached the sandbox.");
        expect(stderr).not.toContain("PROXY");
      }
    });
  },
);

it("the journal of --keep is read directly, also if Node.js sends requests to a proxy", { tags: "slow" }, async () => {
  const cwd = workFolder();
  const env = { ...temporary().env, ...proxies, ...nodeBehindProxy() };
  const ping = 'curl -sS --cacert "$SANDBOX_CA_FILE" "$SANDBOX_URL/v1/ping"; exit 1';
  const { stderr } = await run(["exam", "--drill", "plain", "--keep", "kept", ...shell(ping)], { cwd, env });
  expect(stderr).not.toContain("this is a bug");
  expect(readFileSync(join(cwd, "kept", "plain", "journal.ndjson"), "utf8")).toContain("/v1/ping");
});
