import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import {
  type Authority,
  type Certs,
  CertsError,
  type CertsOptions,
  type EnvironmentSettings,
  type Identity,
  type KeyedCertificate,
} from "./certs.js";
import { environmentText } from "./environment.js";
import { refuseForeignFiles } from "./foreign-files.js";
import {
  latestGeneration,
  makeFolder,
  modes,
  type NewFile,
  publish,
  removeLeftovers,
  replaceFiles,
  settle,
} from "./generations.js";
import { serverHostnames } from "./hostnames.js";
import {
  type FolderContents,
  fitIdentities,
  type InspectionSettings,
  inspectFolder,
  type ReadyParts,
  readyParts,
} from "./inspect.js";
import type { Work } from "./make.js";
import { unusable, unwritable } from "./problems.js";
import { identityPem, identityProfiles, profilesOf } from "./profiles.js";
import { readText } from "./reading.js";

/** Each failed attempt means that another process published something. */
const mostAttempts = 100;

/**
 * Opens the certificates folder: checks and reuses existing files, and makes files that are missing or must be renewed.
 * Resolves with the CA, the server's certificate and the registered clients; the misfits follow in the background
 * (`complete`). A folder that is complete and correct is only read, and may be read-only. When several processes open
 * one folder, the files of the one that publishes first are used by all.
 * @throws CertsError that names the file and says what to do; nothing is overwritten then
 */
export async function openCerts(options: CertsOptions): Promise<Certs> {
  return new CertsFolder(options).open(options);
}

class CertsFolder {
  readonly #directory: string;
  readonly #settings: InspectionSettings;
  /** What to replace, whatever it is; undefined when the files in the folder are to be used. */
  #unwanted: { readonly caPem: string | undefined } | undefined;
  #environment: EnvironmentSettings | undefined;

  constructor({ directory, hostnames, keyType, clock }: CertsOptions) {
    this.#directory = directory;
    this.#settings = { hostnames: serverHostnames(hostnames), keyType, now: clock.now() };
  }

  async open({ fresh, startedAt = Number.POSITIVE_INFINITY }: CertsOptions): Promise<Certs> {
    try {
      makeFolder(this.#directory);
    } catch (error) {
      throw unwritable(this.#directory, error);
    }
    refuseForeignFiles(this.#directory);
    removeLeftovers(this.#directory, this.#settings.now);
    if (fresh) {
      settle(this.#directory);
      if (!this.#hasCaSince(startedAt)) {
        this.#unwanted = { caPem: textOf(this.#path("ca.pem")) };
        // Of a CA that is no more. Where it cannot be removed, the other files cannot be replaced.
        rmSync(this.#path("ca-next.pem"), { force: true });
      }
    }
    const { parts, identities } = await this.#provide(
      (contents) => {
        const present = readyParts(contents);
        return present && { parts: present, identities: fitIdentities(contents, identityProfiles) };
      },
      async (work) => {
        const { makeReadyParts, makeMisfits } = await import("./make.js");
        // All users can read a folder of a clone. If it belongs to another user, the modes of the keys are enough.
        if (!work.contents.ca) await chmod(this.#directory, modes.folder).catch(() => {});
        const made = await makeReadyParts(work);
        // The old misfits do not belong to a new CA: they are replaced at the same time.
        return { parts: made, identities: this.#unwanted && (await makeMisfits(work, made)) };
      },
    );
    return this.#certs(parts, identities ? Promise.resolve(identities) : this.#complete(parts));
  }

  /** The misfits, in the background of a start that has everything that the server needs. */
  async #complete(parts: ReadyParts): Promise<readonly Identity[]> {
    const identities = await this.#provide(
      (contents) => {
        if (contents.ca?.certPem === parts.ca.certPem) return fitIdentities(contents, identityProfiles);
        throw new CertsError(
          "MISMATCH",
          `Another process made ${displayPath(this.#directory)} again while this one started. Start again.`,
        );
      },
      async (work) => (await import("./make.js")).makeMisfits(work, parts),
    );
    const problem = this.#environment && this.#writeFiles(this.#environment, "misfit");
    if (problem) throw problem;
    return identities;
  }

  /** Uses what is in the folder, or makes it and publishes it. If another process publishes first, it tries again. */
  async #provide<T>(
    present: (contents: FolderContents) => T | undefined,
    make: (work: Work) => Promise<T>,
  ): Promise<T> {
    const { hostnames, now, keyType } = this.#settings;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { generation, contents } = this.#read();
      const found = present(contents);
      if (found !== undefined) return found;
      const files: NewFile[] = [];
      const type = contents.ca?.keyType ?? contents.loneCaKeys?.keyType ?? keyType ?? "rsa";
      const made = await make({ contents, files, hostnames, now, keyType: type });
      if (publish(this.#directory, generation, files)) return made;
    }
    throw this.#contended();
  }

  /** Replaces files, whatever other processes publish meanwhile. */
  #publish(files: readonly NewFile[]): void {
    for (let attempt = 0; attempt < mostAttempts; attempt++)
      if (publish(this.#directory, settle(this.#directory), files)) return;
    throw this.#contended();
  }

  #contended(): CertsError {
    return new CertsError(
      "CONTENDED",
      `Other sandboxes changed ${displayPath(this.#directory)} ${mostAttempts} times while this one wanted to. Try again.`,
    );
  }

  /**
   * The contents of the folder in one generation.
   * @throws CertsError that was not caused by a publication meanwhile
   */
  #read(): { generation: number; contents: FolderContents } {
    for (;;) {
      const generation = settle(this.#directory);
      try {
        const contents = this.#contents();
        if (latestGeneration(this.#directory) === generation) return { generation, contents };
      } catch (error) {
        if (latestGeneration(this.#directory) === generation) throw error;
      }
    }
  }

  #contents(): FolderContents {
    // Once the CA is another one, another process replaced everything, and this one uses that.
    if (this.#unwanted && this.#unwanted.caPem === textOf(this.#path("ca.pem"))) {
      return { serverFits: false, identities: new Map() };
    }
    return inspectFolder(this.#directory, this.#settings);
  }

  /**
   * The certificate and the key of an identity's folder, if they are there and fit: another process may replace them.
   */
  #pairIn(folder: string): KeyedCertificate[] {
    const certPem = textOf(this.#path(`${folder}/cert.pem`));
    const keyPem = textOf(this.#path(`${folder}/key.pem`));
    const fits = certPem && keyPem && new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem));
    return fits ? [{ certPem, keyPem }] : [];
  }

  #hasCaSince(instant: number): boolean {
    const path = this.#path("ca.pem");
    return existsSync(path) && statSync(path).mtimeMs > instant;
  }

  #path(file: string): string {
    return join(this.#directory, file);
  }

  #certs({ ca, ...ready }: ReadyParts, complete: Promise<readonly Identity[]>): Certs {
    // A caller that needs the misfits waits for `complete` itself.
    complete.catch(() => {});
    let authority: Promise<Authority> | undefined;
    return {
      ...ready,
      caPem: ca.certPem + (ca.announcedPem ?? ""),
      complete,
      authority: () => {
        authority ??= import("./authority.js").then(({ loadAuthority }) => loadAuthority(ca));
        return authority;
      },
      writeEnvironment: async (settings) => {
        this.#environment = settings;
        return this.#writeFiles(settings, "client", "misfit");
      },
      replaceIdentity: async (identity) => {
        const { identityFilesOf } = await import("./make.js");
        this.#publish(await identityFilesOf(identity, readText(this.#path("ca.pem")) ?? ca.certPem));
      },
      writeAuthorities: async (caPem, nextCaPem) => {
        this.#publish([
          { path: "ca.pem", data: caPem, mode: modes.open },
          { path: "ca-next.pem", data: nextCaPem, mode: modes.open },
        ]);
      },
    };
  }

  /**
   * Writes `client.env` of the identities that exist, and `identity.pem`, which folders of earlier releases do not
   * have. The misfits that do not exist yet get it with `#complete`.
   */
  #writeFiles(settings: EnvironmentSettings, ...kinds: Identity["kind"][]): CertsError | undefined {
    const files = kinds
      .flatMap(profilesOf)
      .filter(({ folder }) => existsSync(this.#path(folder)))
      .flatMap(({ folder, clientId }) => [
        {
          path: `${folder}/client.env`,
          data: environmentText({ folder, clientId }, settings),
          mode: modes.open,
        },
        ...this.#pairIn(folder).map((pair) => ({
          path: `${folder}/identity.pem`,
          data: identityPem(pair),
          mode: modes.key,
        })),
      ])
      .filter(({ path, data }) => textOf(this.#path(path)) !== data);
    if (files.length === 0) return undefined;
    const failed = replaceFiles(this.#directory, files);
    return failed.length === 0
      ? undefined
      : unusable(
          "write",
          failed.map(({ path }) => this.#path(path)),
          failed[0]?.error,
        );
  }
}

/** Undefined also for a file that cannot be read: it is replaced. */
function textOf(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}
