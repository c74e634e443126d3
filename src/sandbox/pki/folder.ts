import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { readEnvironment } from "../../base/text/environment.js";
import {
  type Authority,
  announcedElsewhere,
  type CaFiles,
  type Certs,
  CertsError,
  type CertsOptions,
  type EnvironmentSettings,
  type Identity,
  type KeyedCertificate,
} from "./certs.js";
import { environmentText } from "./environment.js";
import { exists, type FileOperations, modes, type NewFile, systemFiles } from "./file-operations.js";
import { contended, FolderFiles, mostAttempts, type Writing } from "./folder-files.js";
import { refuseForeignFiles } from "./foreign-files.js";
import { Generations } from "./generations.js";
import { serverHostnames } from "./hostnames.js";
import {
  checkKey,
  type FolderContents,
  fitIdentities,
  type InspectionSettings,
  inspectFolder,
  type ReadyParts,
  readyParts,
} from "./inspect.js";
import type { Work } from "./make.js";
import { unusable } from "./problems.js";
import { authorityValidity, identityPem, identityProfiles, isPastUse } from "./profiles.js";
import { readCertificate, readKeyFile, readText } from "./reading.js";

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
  readonly #files: FileOperations;
  readonly #generations: Generations;
  /** What to replace, whatever it is; undefined when the files in the folder are to be used. */
  #unwanted: { readonly caPem: string | undefined } | undefined;

  constructor({ directory, hostnames, keyType, constraints, clock, files = systemFiles }: CertsOptions) {
    this.#directory = directory;
    this.#settings = { hostnames: serverHostnames(hostnames), keyType, constraints, now: clock.now(), files };
    this.#files = files;
    this.#generations = new Generations(directory, files);
  }

  async open({ fresh, startedAt = Number.POSITIVE_INFINITY }: CertsOptions): Promise<Certs> {
    this.#generations.makeFolder();
    refuseForeignFiles(this.#directory, this.#files);
    this.#generations.removeLeftovers(this.#settings.now);
    if (fresh) {
      this.#generations.settle();
      if (!this.#hasCaSince(startedAt)) this.#unwanted = { caPem: this.#text("ca.pem") };
    }
    const { parts, identities } = await this.#provide(
      (contents) => {
        const present = readyParts(contents);
        return present && { parts: present, identities: fitIdentities(contents, identityProfiles) };
      },
      async (work) => {
        const { makeReadyParts, makeMisfits } = await import("./make.js");
        // All users can read a folder of a clone. If it belongs to another user, the modes of the keys are enough.
        if (!work.contents.ca) this.#closeFolder();
        const made = await makeReadyParts(work);
        // The old misfits do not belong to a new CA: they are replaced at the same time.
        return { parts: made, identities: this.#unwanted && (await makeMisfits(work, made)) };
      },
    );
    this.#removeOldNextCa();
    return this.#certs(parts, identities ? Promise.resolve(identities) : this.#complete(parts));
  }

  /** The misfits, in the background of a start that has everything that the server needs. */
  async #complete(parts: ReadyParts): Promise<readonly Identity[]> {
    return this.#provide(
      (contents) => {
        if (contents.ca?.certPem === parts.ca.certPem) return fitIdentities(contents, identityProfiles);
        throw new CertsError(
          "MISMATCH",
          `Another process made ${displayPath(this.#directory)} again while this one started. Start again.`,
        );
      },
      async (work) => (await import("./make.js")).makeMisfits(work, parts),
    );
  }

  /** Uses what is in the folder, or makes it and publishes it. If another process publishes first, it tries again. */
  async #provide<T>(
    present: (contents: FolderContents) => T | undefined,
    make: (work: Work) => Promise<T>,
  ): Promise<T> {
    const { hostnames, now, keyType, constraints = "names" } = this.#settings;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { generation, contents } = this.#read();
      const found = present(contents);
      if (found !== undefined) return found;
      const files: NewFile[] = [];
      const type = contents.ca?.keyType ?? contents.loneCaKeys?.keyType ?? keyType ?? "rsa";
      const made = await make({ contents, files, hostnames, now, keyType: type, constraints });
      if (this.#generations.publish(generation, files)) return made;
    }
    throw contended(this.#directory);
  }

  #closeFolder(): void {
    try {
      this.#files.chmodSync(this.#directory, modes.folder);
    } catch {
      // It belongs to another user.
    }
  }

  /**
   * Removes the next CA if it is of a CA that is no more: `--fresh-certs` replaces only the others.
   * @throws CertsError
   */
  #removeOldNextCa(): void {
    const next = this.#text("ca-next.pem");
    // In this order: they are written together, `ca.pem` first, and the key last.
    if (next !== undefined && this.#text("ca.pem")?.includes(next.trim())) return;
    for (const path of ["ca-next.pem", "ca-next.key.pem"].map((file) => this.#path(file))) {
      try {
        if (exists(path, this.#files)) this.#files.rmSync(path);
      } catch (error) {
        throw unusable("write", path, error, "It is not a CA of this folder any more, and must be removed.");
      }
    }
  }

  /**
   * A file of the latest generation, whether it is in its place yet or not.
   * @param read returns undefined when there is no such file
   */
  #latest<T>(file: string, read: (path: string, files: FileOperations) => T | undefined): T | undefined {
    // In this order: it is moved from there to here.
    return read(this.#generations.pendingPath(file), this.#files) ?? read(this.#path(file), this.#files);
  }

  /**
   * The next CA, if the folder has it with its key: earlier releases did not keep that.
   * @throws CertsError when it is broken
   */
  #nextCa(): KeyedCertificate | undefined {
    const cert = this.#latest("ca-next.pem", readCertificate);
    const key = this.#latest("ca-next.key.pem", readKeyFile);
    if (!cert || !key || isPastUse(authorityValidity, cert.x509, this.#settings.now)) return undefined;
    checkKey(cert, key);
    return { certPem: cert.pem, keyPem: key.pem };
  }

  /**
   * The files that make a CA trusted, as far as the folder does not have them. What else it trusts stays: another sandbox
   * may have written that.
   * @throws CertsError when the folder has another next CA
   */
  #authorityFiles({ certPem, keyPem }: CaFiles, trusted: string, isInForce: boolean): NewFile[] {
    const present = this.#latest("ca.pem", readText) ?? trusted;
    const all = present.includes(certPem.trim()) ? present : `${present.trimEnd()}\n${certPem}`;
    const files: NewFile[] = [{ path: "ca.pem", data: all, mode: modes.open }];
    if (keyPem !== undefined) {
      const next = this.#nextCa();
      if (next && next.certPem !== certPem && !isInForce) throw announcedElsewhere();
      files.push({ path: "ca-next.pem", data: certPem, mode: modes.open });
      files.push({ path: "ca-next.key.pem", data: keyPem, mode: modes.authorityKey });
    }
    return files.filter(({ path, data }) => readText(this.#path(path), this.#files) !== data);
  }

  /**
   * The contents of the folder in one generation.
   * @throws CertsError that was not caused by a publication meanwhile
   */
  #read(): { generation: number; contents: FolderContents } {
    for (;;) {
      const generation = this.#generations.settle();
      try {
        const contents = this.#contents();
        if (this.#generations.latest() === generation) return { generation, contents };
      } catch (error) {
        if (this.#generations.latest() === generation) throw error;
      }
    }
  }

  #contents(): FolderContents {
    // Once the CA is another one, another process replaced everything, and this one uses that.
    if (this.#unwanted && this.#unwanted.caPem === this.#text("ca.pem")) {
      return { serverFits: false, identities: new Map() };
    }
    return inspectFolder(this.#directory, this.#settings);
  }

  /**
   * The certificate and the key of an identity's folder, if `identity.pem` does not have them and they fit: another
   * process may replace them.
   */
  #newPairIn(folder: string): KeyedCertificate[] {
    const certPem = this.#text(`${folder}/cert.pem`);
    const keyPem = this.#text(`${folder}/key.pem`);
    if (!certPem || !keyPem || this.#text(`${folder}/identity.pem`) === identityPem({ certPem, keyPem })) return [];
    return new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem)) ? [{ certPem, keyPem }] : [];
  }

  #hasCaSince(instant: number): boolean {
    const path = this.#path("ca.pem");
    try {
      return exists(path, this.#files) && this.#files.statSync(path).mtimeMs > instant;
    } catch (error) {
      throw unusable("read", path, error);
    }
  }

  /** Undefined also for a file that cannot be read: it is replaced. */
  #text(file: string): string | undefined {
    try {
      return readText(this.#path(file), this.#files);
    } catch {
      return undefined;
    }
  }

  #path(file: string): string {
    return join(this.#directory, file);
  }

  #certs({ ca, ...ready }: ReadyParts, complete: Promise<readonly Identity[]>): Certs {
    // A caller that needs the misfits waits for `complete` itself.
    complete.catch(() => {});
    let authority: Promise<Authority> | undefined;
    const caPem = ca.certPem + (ca.announcedPem ?? "");
    return {
      ...ready,
      caPem,
      complete,
      authority: () => {
        authority ??= import("./authority.js").then(({ loadAuthority }) => loadAuthority(ca));
        return authority;
      },
      environmentUrls: () => this.#environmentUrls(),
      writeEnvironment: async (settings) => this.#writeEnvironment(settings),
      hasIdentity: (identity) => this.#text(`${identity.folder}/identity.pem`) === identityPem(identity),
      finish: () => void this.#generations.settle(),
      identityFiles: async (identity, { held, ...writing }) => {
        const { identityFilesOf } = await import("./make.js");
        const trusted = this.#latest("ca.pem", readText) ?? ca.certPem;
        const files = await identityFilesOf(identity, trusted);
        const first = `${identity.folder}/${held === "key" ? "cert.pem" : "key.pem"}`;
        const later = held === undefined ? [] : files.map(({ path }) => path).filter((path) => path !== first);
        return this.#stateFiles(() => files, { ...writing, held: later });
      },
      nextCa: () => this.#nextCa(),
      authorityFiles: (added, isInForce) =>
        this.#stateFiles(() => this.#authorityFiles(added, caPem, isInForce()), { isInForce }),
    };
  }

  #stateFiles(files: () => readonly NewFile[], writing: Writing): FolderFiles {
    return new FolderFiles(this.#directory, this.#generations, files, writing);
  }

  #environmentUrls(): ReadonlySet<string> {
    const texts = identityProfiles.map(({ folder }) => this.#text(`${folder}/client.env`) ?? "");
    return new Set(texts.flatMap((text) => readEnvironment(text).get("SANDBOX_URL") ?? []));
  }

  /**
   * Writes `client.env` of the identities that exist, and `identity.pem`, which folders of earlier releases do not
   * have.
   */
  #writeEnvironment(settings: EnvironmentSettings): CertsError | undefined {
    const files = identityProfiles
      .filter(({ folder }) => exists(this.#path(folder), this.#files))
      .flatMap(({ folder, clientId }) => [
        {
          path: `${folder}/client.env`,
          data: environmentText({ folder, clientId }, settings),
          mode: modes.open,
        },
        ...this.#newPairIn(folder).map((pair) => ({
          path: `${folder}/identity.pem`,
          data: identityPem(pair),
          mode: modes.key,
        })),
      ])
      .filter(({ path, data }) => this.#text(path) !== data);
    if (files.length === 0) return undefined;
    const failed = this.#generations.replace(files);
    return failed.length === 0
      ? undefined
      : unusable(
          "write",
          failed.map(({ path }) => this.#path(path)),
          failed[0]?.error,
        );
  }
}
