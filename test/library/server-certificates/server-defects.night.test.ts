import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedSandbox, startSandbox } from "../../../src/index.js";
import {
  defectFacts,
  defectsWithUrl,
  serverDefects,
  tlsClients,
} from "../../../src/sandbox/connection/server-defect.js";
import { run } from "../../sandbox/pki/programs.js";
import { startTls } from "../../support/raw-client.js";

let sandbox: StartedSandbox;
let caFile: string;
beforeAll(async () => {
  sandbox = await startSandbox({ defectPorts: "all" });
  caFile = join(mkdtempSync(join(tmpdir(), "defects-")), "ca.pem");
  writeFileSync(caFile, sandbox.ca);
});
afterAll(() => sandbox.close());

const isMissing = (program: string, parameter: string) => spawnSync(program, [parameter]).status !== 0;
const file = (name: string) => fileURLToPath(new URL(`tls-clients/${name}`, import.meta.url));

/** Node.js has the security level 2 of OpenSSL from version 24 on. */
const refusesShortKeys = (name: string) => name === "Node.js" && Number(process.versions.node.split(".")[0]) >= 24;

/** Which of the URLs each client accepts, as it verifies by default. */
const clients: Readonly<
  Record<
    (typeof tlsClients)[number],
    { missing: boolean; accepted(urls: readonly string[]): Promise<readonly string[]> }
  >
> = {
  "Node.js": {
    missing: false,
    accepted: (urls) =>
      those(urls, async (url) => {
        const { socket } = startTls({ port: Number(new URL(url).port), ca: sandbox.ca });
        const went = once(socket, "secureConnect").then(() => true);
        const accepted = await Promise.race([
          went,
          new Promise<boolean>((end) => socket.once("error", () => end(false))),
        ]);
        socket.destroy();
        return accepted;
      }),
  },
  curl: {
    missing: isMissing("curl", "--version"),
    accepted: (urls) =>
      those(urls, async (url) => {
        const { status } = await run("curl", "-sS", "-o", "/dev/null", "--cacert", caFile, url);
        // 60: the certificate of the server cannot be verified. 35: an error in the handshake.
        if (![0, 35, 60].includes(status)) throw new Error(`curl ended with ${status}`);
        return status === 0;
      }),
  },
  Python: {
    missing: isMissing("python3", "--version"),
    accepted: async (urls) => lines(await run("python3", file("accepts.py"), caFile, ...urls)),
  },
  Java: {
    missing: isMissing("java", "-version"),
    accepted: async (urls) => lines(await run("java", file("Accepts.java"), caFile, ...urls)),
  },
  openssl: {
    missing: isMissing("openssl", "version"),
    accepted: (urls) =>
      those(urls, async (url) => {
        const address = `localhost:${new URL(url).port}`;
        const verify = ["-CAfile", caFile, "-verify_return_error", "-verify_hostname", "localhost"];
        const { status } = await run(
          "sh",
          "-c",
          `exec openssl s_client "$@" </dev/null`,
          "sh",
          "-connect",
          address,
          ...verify,
        );
        return status === 0;
      }),
  },
};

async function those(urls: readonly string[], accepts: (url: string) => Promise<boolean>): Promise<readonly string[]> {
  const answers = await Promise.all(urls.map(accepts));
  return urls.filter((_, index) => answers[index]);
}

/** The URLs that a program printed as accepted. */
function lines({ status, output }: { status: number; output: string }): readonly string[] {
  if (status !== 0) throw new Error(output);
  return output.split("\n").filter((line) => /^https:\S+$/.test(line));
}

describe.each(tlsClients)("%s", (name) => {
  const client = clients[name];
  it.skipIf(client.missing)("accepts of all defects those that the table says, and the usual certificate", async () => {
    const defective = defectsWithUrl(sandbox.defectUrls);
    expect(defective.map(({ defect }) => defect)).toEqual(serverDefects);
    const accepted = await client.accepted([`${sandbox.url}/v1/ping`, ...defective.map(({ url }) => `${url}/v1/ping`)]);
    const names = accepted.map((url) => defective.find((each) => url.startsWith(each.url))?.defect ?? "none");
    const expected = serverDefects.filter(
      (defect) => defectFacts(defect).acceptedBy?.includes(name) && !(defect === "rsa-1024" && refusesShortKeys(name)),
    );
    expect(names).toEqual(["none", ...expected]);
  });
});
