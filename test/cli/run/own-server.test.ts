import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { startSandbox } from "../../../src/library/composition/sandbox.js";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import { isInstalled, root } from "../../examples/programs.js";
import { afterTest } from "../../support/cleanups.js";
import { type OwnCa, ownCa } from "../../support/own-ca.js";
import { workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { readReport } from "./exam-client.js";
import { explored, readExplored } from "./explored.js";
import { pythonClient, temporary } from "./sandboxed.js";

const wordsOf = ({ certificate, key, chain }: OwnCa) => [
  "--server-certificate",
  certificate,
  "--server-key",
  key,
  "--server-chain",
  chain,
];

async function started(own: OwnCa | undefined, certs: string) {
  const files = own && { serverCertificate: own.certificate, serverKey: own.key, serverChain: own.chain };
  const given = {
    port: 0,
    adminPort: 0,
    defectPorts: 0,
    keyType: "ec" as const,
    log: "none" as const,
    certs,
    ...files,
  };
  const sandbox = await startSandbox(await resolveConfiguration(given, {}, workFolder()));
  afterTest(() => sandbox.close(0));
  await sandbox.identities;
  return sandbox;
}

/** The exit status of curl: 60 if it does not trust the certificate; and the status of a ping without a token. */
function curl(url: string, ca: string, ...words: string[]): Promise<readonly [number, string]> {
  const usual = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", ca];
  return new Promise((resolve) => {
    execFile("curl", [...usual, ...words, `${url}/v1/ping`], (error, stdout, stderr) =>
      resolve([error ? Number(error.code) : 0, stdout + stderr]),
    );
  });
}

describe.skipIf(!isInstalled("openssl", "version") || !isInstalled("curl", "--version"))(
  "the server's certificate from a team's own CA",
  () => {
    it("is what curl gets; renewals and defects keep the sandbox's CA, and ca.pem has both roots", {
      tags: "slow",
    }, async () => {
      const own = ownCa();
      const certs = mkdtempSync(join(tmpdir(), "own-server-"));
      afterTest(() => rmSync(certs, { recursive: true, force: true }));
      const { url, adminUrl, defectUrls } = await started(own, certs);
      const both = join(certs, "ca.pem");
      expect(splitPem(readFileSync(both, "utf8"))).toHaveLength(2);
      expect(await curl(url, own.root)).toEqual([0, "401"]);
      expect(await curl(url, both)).toEqual([0, "401"]);
      // The journal says which certificate that was.
      const shown = await (await fetch(`${adminUrl}/server/certificate`)).json();
      expect(shown.issuer).toBe("file");
      const [{ id }] = (await (await fetch(`${adminUrl}/requests?pageSize=1`)).json()).items;
      const entry = JSON.stringify(await (await fetch(`${adminUrl}/requests/${id}`)).json());
      expect(entry).toContain(shown.thumbprint);
      // A defect is refused for its own reason, although the sandbox's CA has issued it.
      const refused = await curl(String(defectUrls?.["expired"]), both, "-S", "-w", "");
      expect(refused).toEqual([60, expect.stringContaining("certificate has expired")]);

      await fetch(`${adminUrl}/server/certificate`, {
        method: "POST",
        body: "{}",
        headers: { "Content-Type": "application/json" },
      });
      expect(await curl(url, own.root)).toEqual([60, "000"]);
      expect(await curl(url, both)).toEqual([0, "401"]);

      // The team's CA has issued no client, so it is not trusted for them.
      await fetch(`${adminUrl}/clients`, {
        method: "POST",
        body: JSON.stringify({ clientId: "theirs", certificate: readFileSync(own.certificate, "utf8") }),
        headers: { "Content-Type": "application/json" },
      });
      expect(await curl(url, both, "--cert", own.certificate, "--key", own.key)).toEqual([0, "401"]);
      const [newest] = (await (await fetch(`${adminUrl}/requests?pageSize=1`)).json()).items;
      const detail = await (await fetch(`${adminUrl}/requests/${newest.id}`)).json();
      expect(detail.peer.chain).toBe("untrusted");
    });

    it("ca.pem keeps the root at the next start, once", { tags: "slow" }, async () => {
      const own = ownCa();
      const certs = mkdtempSync(join(tmpdir(), "own-server-"));
      afterTest(() => rmSync(certs, { recursive: true, force: true }));
      await (await started(own, certs)).close(0);
      const { url } = await started(own, certs);
      expect(splitPem(readFileSync(join(certs, "ca.pem"), "utf8"))).toHaveLength(2);
      expect(await curl(url, own.root)).toEqual([0, "401"]);
    });

    it("at a start without it, its root is trusted for no client either", { tags: "slow" }, async () => {
      const own = ownCa();
      const certs = mkdtempSync(join(tmpdir(), "own-server-"));
      afterTest(() => rmSync(certs, { recursive: true, force: true }));
      await (await started(own, certs)).close(0);
      const { url, adminUrl } = await started(undefined, certs);
      const whole = join(workFolder(), "whole.pem");
      writeFileSync(whole, readFileSync(own.certificate, "utf8") + readFileSync(own.chain, "utf8"));
      expect(await curl(url, join(certs, "ca.pem"), "--cert", whole, "--key", own.key)).toEqual([0, "401"]);
      const [newest] = (await (await fetch(`${adminUrl}/requests?pageSize=1`)).json()).items;
      const detail = await (await fetch(`${adminUrl}/requests/${newest.id}`)).json();
      expect(detail.peer.chain).toBe("untrusted");
    });

    it("under run, SANDBOX_CA_FILE has both roots", { tags: "slow" }, async () => {
      const own = ownCa();
      const program = `${pythonClient}\nprint(open(env["SANDBOX_CA_FILE"]).read().count("BEGIN"))`;
      const words = ["run", ...wordsOf(own), "--", "sh", "-c", `python3 -c "$PROGRAM" > out.txt`];
      const cwd = workFolder();
      const { code } = await inProcess(words, { cwd, env: { ...temporary().env, PROGRAM: program } });
      expect([code, readFileSync(join(cwd, "out.txt"), "utf8").trim().split("\n").at(-1)]).toEqual([0, "2"]);
    });

    it("under exam, a defect is refused, and a renewal is not", { tags: "slow" }, async () => {
      const own = ownCa();
      const cwd = workFolder();
      const drills = ["server-certificate-expired", "server-certificate-renewed"];
      const client = [
        "sh",
        "-c",
        'curl -sSf --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" -d "client_id=demo&grant_type=client_credentials&scope=read" "$SANDBOX_URL/oauth/v2/oauth-token" -o token.json && curl -sSf --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" -H "Authorization: Bearer $(sed "s/.*access_token\\":\\"\\([^\\"]*\\).*/\\1/" token.json)" "$SANDBOX_URL/v1/ping"',
      ];
      const words = ["exam", ...wordsOf(own), "--drill", ...drills, "--report", "report.json", "--", ...client];
      const outcome = await inProcess(words, { cwd, env: temporary().env });
      const report = readReport(join(cwd, "report.json"));
      expect([report.verdicts, outcome.code]).toEqual([drills.map((name) => `${name} pass`), 0]);
      expect(report.drills[0]?.checks).toContainEqual(
        expect.objectContaining({ id: "tls.server-certificate", verdict: "pass" }),
      );
    });

    it("under explore, each run shows it, and a finding is repeated with it", { tags: "slow" }, async () => {
      const own = ownCa();
      const cells = "ping/unauthorized,ping/hang";
      // It trusts the team's root alone, and takes longer to give up than it is given.
      const client = ["sh", "-c", `SANDBOX_CA_FILE=${own.root} exec node ${join(root, "examples/exam/client.mjs")}`];
      const words = [
        ...wordsOf(own),
        "--admin-token",
        "a-secret",
        "--timeout",
        "2s",
        "--only",
        cells,
        "--report",
        "report.json",
      ];
      const { code, folder, stdout, stderr } = await explored([...words, "--", ...client]);
      const report = readExplored(folder, stderr);
      expect(report.cells.map(({ fault, verdict }) => [fault, verdict])).toEqual([
        ["hang", "hung"],
        ["unauthorized", "recovered"],
      ]);
      expect([code, stdout]).toEqual([1, expect.stringContaining("HUNG ping/hang")]);
      expect(report.cells[0]?.repeat).toContain(`explore ${wordsOf(own).join(" ")} --timeout 2s --only`);
    });
  },
);
