import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import {
  type Authority,
  type Certs,
  CertsError,
  type CertsOptions,
  type EnvironmentSettings,
  type Identity,
} from "./certs.js";
import { environmentText } from "./environment.js";
import { ownFiles, ownFolders, refuseForeignFiles } from "./foreign-files.js";
import { serverHostnames } from "./hostnames.js";
import {
  type FolderContents,
  type InspectionSettings,
  inspectFolder,
  isFit,
  isReady,
  type ReadyContents,
} from "./inspect.js";
import { acquireLock, type Lock } from "./lock.js";
import type { ReadyParts, Work } from "./make.js";
import { identityFolder, identityProfiles } from "./profiles.js";
import { caKeyMissing, readText } from "./reading.js";
import { hasLeftovers, makeFolder, modes, Staging, shown, unusable } from "./staging.js";

/**
 * Opens the certificates folder: checks and reuses what is there, and makes what is missing or due.
 *
 * Resolves as soon as the server can start: with the CA, the server's certificate and the registered clients. The misfits
 * follow in the background (`complete`). A folder in which everything is in order is only read, and may be read-only.
 * Several processes may open one folder at the same time; one of them makes the files, the others wait and read them.
 * @throws CertsError that names the file and says what to do; nothing is overwritten then
 */
export async function openCerts(options: CertsOptions): Promise<Certs> {
  return new CertsFolder(options).open();
}

class CertsFolder {
  readonly #directory: string;
  readonly #options: CertsOptions;
  readonly #settings: InspectionSettings;
  #environment: EnvironmentSettings | undefined;

  constructor(options: CertsOptions) {
    this.#directory = options.directory;
    this.#options = options;
    const hostnames = serverHostnames(options.hostnames);
    this.#settings = { hostnames, keyType: options.keyType, now: options.clock.now() };
    this.#environment = options.environment;
  }

  async open(): Promise<Certs> {
    await makeFolder(this.#directory).catch((error) => {
      throw unusable("write", this.#directory, error);
    });
    refuseForeignFiles(this.#directory);
    const found = this.#options.fresh ? undefined : this.#look();
    if (!found || found instanceof CertsError || !isReady(found)) return this.#openForWriting(found);

    const parts = readyParts(found);
    const identities = completeIdentities(found);
    if (!identities) return this.#certs(parts, this.#completeLater(parts));
    if (hasLeftovers(this.#directory)) this.#tidy().catch(() => {});
    return this.#certs(parts, Promise.resolve(identities));
  }

  /** What is there, or what is wrong with it: another process may be writing, so an error counts only under the lock. */
  #look(): FolderContents | CertsError {
    try {
      return inspectFolder(this.#directory, this.#settings);
    } catch (error) {
      if (error instanceof CertsError) return error;
      throw error;
    }
  }

  async #openForWriting(seen: FolderContents | CertsError | undefined): Promise<Certs> {
    const lock = await acquireLock(this.#directory).catch((error) => {
      // What is wrong with the files says more than that they could not be mended.
      throw seen instanceof CertsError ? seen : error;
    });
    const staging = new Staging(this.#directory, () => lock.assertHeld());
    try {
      await staging.removeLeftovers();
      if (this.#options.fresh) await this.#discardAll(staging);
      const work = await this.#inspected(staging);
      const maker = await import("./make.js");
      if (!work.contents.ca) await this.#closeToOthers();
      const parts = await maker.makeReadyParts(work);
      const complete = maker.makeMisfits(work, parts).finally(() => finish(lock, staging));
      return this.#certs(parts, complete);
    } catch (error) {
      await finish(lock, staging);
      throw error;
    }
  }

  /** The background part of a start that found everything it needs at once, but not every misfit. */
  async #completeLater(parts: ReadyParts): Promise<Identity[]> {
    const lock = await acquireLock(this.#directory);
    const staging = new Staging(this.#directory, () => lock.assertHeld());
    try {
      const work = await this.#inspected(staging);
      if (work.contents.ca?.certPem !== parts.ca.certPem) {
        throw new CertsError(
          "MISMATCH",
          `${shown(this.#directory)} was made anew by another process while this one started. Start again.`,
        );
      }
      const maker = await import("./make.js");
      return await maker.makeMisfits(work, parts);
    } finally {
      await finish(lock, staging);
    }
  }

  /** Cleans up after a process that was killed when it had made everything. Nothing depends on it. */
  async #tidy(): Promise<void> {
    const lock = await acquireLock(this.#directory);
    const staging = new Staging(this.#directory);
    try {
      await staging.removeLeftovers();
    } finally {
      await finish(lock, staging);
    }
  }

  async #inspected(staging: Staging): Promise<Work> {
    const contents = inspectFolder(this.#directory, this.#settings);
    const keyType = contents.ca?.keyType ?? contents.loneCaKeys?.keyType ?? this.#options.keyType ?? "rsa";
    const { hostnames, now } = this.#settings;
    return { contents, staging, hostnames, now, keyType, environment: () => this.#environment };
  }

  /** The CA goes last, so that whoever is killed in between leaves a CA without certificates, not certificates without their CA. */
  async #discardAll(staging: Staging): Promise<void> {
    for (const name of [...ownFolders, ...ownFiles]) await staging.discard(name);
  }

  /** A folder that came with a clone can be entered by everybody. It may be somebody else's: the keys' own modes are enough. */
  async #closeToOthers(): Promise<void> {
    await chmod(this.#directory, modes.folder).catch(() => {});
  }

  #certs(parts: ReadyParts, complete: Promise<readonly Identity[]>): Certs {
    // Whoever wants to know listens to `complete` itself.
    complete.catch(() => {});
    const { ca, server, clients, tokenSigningKeyPem, cursorKey } = parts;
    let authority: Promise<Authority> | undefined;
    return {
      caPem: ca.certPem,
      server,
      clients,
      tokenSigningKeyPem,
      cursorKey,
      complete,
      authority: () => {
        authority ??= this.#loadAuthority(parts);
        return authority;
      },
      writeEnvironment: async (settings) => {
        this.#environment = settings;
        return this.#writeEnvironment(settings);
      },
    };
  }

  async #loadAuthority({ ca: { certPem, keyPem } }: ReadyParts): Promise<Authority> {
    if (keyPem === undefined) throw caKeyMissing();
    const { loadAuthority } = await import("./authority.js");
    return loadAuthority({ certPem, keyPem });
  }

  async #writeEnvironment(settings: EnvironmentSettings): Promise<CertsError | undefined> {
    const staging = new Staging(this.#directory);
    const unwritten: { path: string; error: CertsError }[] = [];
    try {
      for (const profile of identityProfiles) {
        const folder = identityFolder(profile);
        const file = `${folder}/client.env`;
        const text = environmentText({ folder, clientId: profile.clientId }, settings);
        // One that is still being made is written with its folder.
        if (!existsSync(join(this.#directory, folder))) continue;
        const path = join(this.#directory, file);
        if (presentText(path) === text) continue;
        await staging.publishFile(file, text, modes.open).catch((error: CertsError) => unwritten.push({ path, error }));
      }
    } finally {
      await staging.close();
    }
    const [first] = unwritten;
    if (!first) return undefined;
    const paths = unwritten.map(({ path }) => path);
    return unusable("write", paths, first.error.cause ?? first.error);
  }
}

/** Undefined as well for what cannot be read: it is replaced. */
function presentText(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

function readyParts({ ca, server, identities, tokenSigningKeyPem, cursorKey }: ReadyContents): ReadyParts {
  const clients = identityProfiles.filter(({ kind }) => kind === "client").map(({ name }) => identities.get(name));
  return {
    ca,
    server,
    clients: clients.flatMap((found) => (found ? [found.identity] : [])),
    tokenSigningKeyPem,
    cursorKey,
  };
}

/** All identities, when each of them can stay as it is. */
function completeIdentities({ identities }: FolderContents): Identity[] | undefined {
  const found = identityProfiles.map(({ name }) => identities.get(name));
  return found.every(isFit) ? found.map(({ identity }) => identity) : undefined;
}

async function finish(lock: Lock, staging: Staging): Promise<void> {
  await staging.close().catch(() => {});
  await lock.release().catch(() => {});
}
