import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { expect } from "vitest";
import { bundlePassword, identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { day, hiddenNames, open, TestClock, temporaryFolder } from "./fixture.js";
import type { ChildTask, childProcesses } from "./processes.js";

type Start = ReturnType<typeof childProcesses>;

/** What a process does when it is killed. */
export const situations = ["creation", "renewal", "fresh-certs"] as const;

/** When: this many milliseconds after it began, or before a call to the file system that changes something, from 1. */
type Moment = { readonly milliseconds: number } | { readonly call: number };

/**
 * Kills processes in one of the situations.
 * @param whole makes a complete folder
 */
export class Killer {
  readonly #start: Start;
  readonly #situation: (typeof situations)[number];
  readonly #whole: () => string;

  constructor(start: Start, situation: (typeof situations)[number], whole: () => string) {
    this.#start = start;
    this.#situation = situation;
    this.#whole = whole;
  }

  /** What a process does that is not killed: its duration in milliseconds, and its calls to the file system. */
  async usual(): Promise<{ took: number; calls: number }> {
    const { took, printed } = await this.#start(this.#task());
    return { took, calls: Number(printed["calls"]) };
  }

  /**
   * Kills a process while it opens a folder, and asserts that the next start makes a consistent folder of what was
   * left.
   * @returns false if the process ended before the moment
   */
  async kill(moment: Moment): Promise<boolean> {
    const task = this.#task();
    const { directory, later } = task;
    const caBefore = publishedCa(directory);
    const { signal } =
      "call" in moment
        ? await this.#start({ ...task, killAtCall: moment.call })
        : await this.#start(task, { killAfter: moment.milliseconds });
    const caAfter = publishedCa(directory);
    if (this.#situation === "renewal") expect(caAfter).toBe(caBefore);

    const clock = new TestClock();
    clock.instant += later;
    const certs = await open(directory, { clock });
    if (caAfter !== undefined) expect(certs.caPem).toBe(caAfter);
    await certs.complete;
    expectConsistent(directory);
    // What the process left is removed once it is old.
    clock.instant += day / 2;
    await open(directory, { clock });
    expect(hiddenNames(directory)).toEqual([expect.stringMatching(/^\.generation-\d+$/)]);
    return signal === "SIGKILL";
  }

  #task(): ChildTask & { readonly later: number } {
    if (this.#situation === "creation") return { directory: join(temporaryFolder(), "certs"), later: 0 };
    const later = this.#situation === "renewal" ? 396.5 * day : 0;
    return { directory: this.#whole(), later, fresh: this.#situation === "fresh-certs" };
  }
}

/** The CA that later starts must keep: of a generation that was published, or in its place. */
function publishedCa(directory: string): string | undefined {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const pending = names
    .filter((name) => name.startsWith(".generation-"))
    .sort((one, other) => Number(other.slice(12)) - Number(one.slice(12)))
    .slice(0, 1)
    .map((name) => join(directory, name, "files/ca.pem"));
  const path = [...pending, join(directory, "ca.pem")].find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : readFileSync(path, "utf8");
}

/** Every certificate verifies against the CA, every key fits its certificate, every bundle opens and has both. */
export function expectConsistent(directory: string): void {
  const at = (file: string): Buffer => readFileSync(join(directory, file));
  const caPem = at("ca.pem").toString();
  const ca = new X509Certificate(caPem);
  const keyFits = (cert: string, key: string): boolean =>
    new X509Certificate(at(cert)).checkPrivateKey(createPrivateKey(at(key)));
  expect(keyFits("ca.pem", "ca.key.pem")).toBe(true);
  expect(keyFits("server.pem", "server.key.pem")).toBe(true);
  expect(new X509Certificate(at("server.pem")).verify(ca.publicKey)).toBe(true);
  for (const { name, folder, issuer } of identityProfiles) {
    const certificate = new X509Certificate(at(`${folder}/cert.pem`));
    expect([name, certificate.verify(ca.publicKey)]).toEqual([name, issuer === "sandbox"]);
    expect([name, keyFits(`${folder}/cert.pem`, `${folder}/key.pem`)]).toEqual([name, true]);
    expect([name, bundled(at(`${folder}/client.p12`))]).toEqual([name, certificate.fingerprint256]);
  }
}

/**
 * The fingerprint of the certificate in a bundle.
 * @throws Error unless it opens, and has the key of the certificate
 */
function bundled(pfx: Buffer): string | undefined {
  const secureContext = createSecureContext({ pfx, passphrase: bundlePassword });
  const socket = new TLSSocket(new PassThrough(), { secureContext });
  const fingerprint = socket.getX509Certificate()?.fingerprint256;
  socket.destroy();
  return fingerprint;
}
