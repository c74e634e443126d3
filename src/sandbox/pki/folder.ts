import { existsSync } from "node:fs";
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
} from "./certs.js";
import { environmentText } from "./environment.js";
import { ownFiles, ownFolders, refuseForeignFiles } from "./foreign-files.js";
import { serverHostnames } from "./hostnames.js";
import {
  type FolderContents,
  fitIdentities,
  type InspectionSettings,
  inspectFolder,
  type ReadyParts,
  readyParts,
} from "./inspect.js";
import { acquireLock } from "./lock.js";
import type { Work } from "./make.js";
import { unusable, unwritable } from "./problems.js";
import { identityProfiles } from "./profiles.js";
import { readText } from "./reading.js";
import { hasLeftovers, makeFolder, modes, Staging } from "./staging.js";

/**
 * Opens the certificates folder: checks and reuses existing files, and makes files that are missing or must be renewed.
 * Resolves with the CA, the server's certificate and the registered clients; the misfits follow in the background
 * (`complete`). A folder that is complete and correct is only read, and may be read-only. When several processes open
 * one folder, one makes the files, and the others wait and read them.
 * @throws CertsError that names the file and says what to do; nothing is overwritten then
 */
export async function openCerts(options: CertsOptions): Promise<Certs> {
  return new CertsFolder(options).open();
}

class CertsFolder {
  readonly #directory: string;
  readonly #fresh: boolean;
  readonly #settings: InspectionSettings;
  #environment: EnvironmentSettings | undefined;

  constructor({ directory, hostnames, keyType, fresh, clock }: CertsOptions) {
    this.#directory = directory;
    this.#fresh = fresh;
    this.#settings = { hostnames: serverHostnames(hostnames), keyType, now: clock.now() };
  }

  async open(): Promise<Certs> {
    await makeFolder(this.#directory).catch((error) => {
      throw unwritable(this.#directory, error);
    });
    refuseForeignFiles(this.#directory);
    const found = this.#fresh ? undefined : this.#look();
    const parts = found && !(found instanceof CertsError) && readyParts(found);
    if (!parts) return this.#openForWriting(found);

    const identities = fitIdentities(found, identityProfiles);
    if (!identities) return this.#certs(parts, this.#completeLater(parts));
    // The files of a process that was killed are harmless, so a failure does not matter.
    if (hasLeftovers(this.#directory)) this.#locked((staging) => staging.removeLeftovers()).catch(() => {});
    return this.#certs(parts, Promise.resolve(identities));
  }

  /**
   * The contents of the folder, or what is wrong with them. Another process may be writing, so an error counts only
   * under the lock.
   */
  #look(): FolderContents | CertsError {
    try {
      return inspectFolder(this.#directory, this.#settings);
    } catch (error) {
      if (error instanceof CertsError) return error;
      throw error;
    }
  }

  async #openForWriting(seen: FolderContents | CertsError | undefined): Promise<Certs> {
    const staging = await this.#lock().catch((error) => {
      // An error in the files says more than the error that they cannot be replaced.
      throw seen instanceof CertsError ? seen : error;
    });
    try {
      await staging.removeLeftovers();
      if (this.#fresh) for (const name of [...ownFolders, ...ownFiles]) await staging.discard(name);
      const work = this.#inspected(staging);
      const { makeReadyParts, makeMisfits } = await import("./make.js");
      // All users can read a folder of a clone. If it belongs to another user, the modes of the keys are enough.
      if (!work.contents.ca) await chmod(this.#directory, modes.folder).catch(() => {});
      const parts = await makeReadyParts(work);
      return this.#certs(
        parts,
        makeMisfits(work, parts).finally(() => staging.close()),
      );
    } catch (error) {
      await staging.close();
      throw error;
    }
  }

  /** The background part of a start that found everything that the server needs, but not every misfit. */
  #completeLater(parts: ReadyParts): Promise<Identity[]> {
    return this.#locked(async (staging) => {
      const work = this.#inspected(staging);
      if (work.contents.ca?.certPem !== parts.ca.certPem) {
        throw new CertsError(
          "MISMATCH",
          `Another process made ${displayPath(this.#directory)} again while this one started. Start again.`,
        );
      }
      const { makeMisfits } = await import("./make.js");
      return makeMisfits(work, parts);
    });
  }

  async #lock(): Promise<Staging> {
    return new Staging(this.#directory, await acquireLock(this.#directory));
  }

  async #locked<T>(task: (staging: Staging) => Promise<T>): Promise<T> {
    const staging = await this.#lock();
    return task(staging).finally(() => staging.close());
  }

  #inspected(staging: Staging): Work {
    const contents = inspectFolder(this.#directory, this.#settings);
    const { hostnames, now } = this.#settings;
    const keyType = contents.ca?.keyType ?? contents.loneCaKeys?.keyType ?? this.#settings.keyType ?? "rsa";
    return { contents, staging, hostnames, now, keyType, environment: () => this.#environment };
  }

  #certs({ ca, ...ready }: ReadyParts, complete: Promise<readonly Identity[]>): Certs {
    // A caller that needs the misfits waits for `complete` itself.
    complete.catch(() => {});
    let authority: Promise<Authority> | undefined;
    return {
      ...ready,
      caPem: ca.certPem,
      complete,
      authority: () => {
        authority ??= import("./authority.js").then(({ loadAuthority }) => loadAuthority(ca));
        return authority;
      },
      writeEnvironment: (settings) => this.#writeEnvironment(settings),
    };
  }

  async #writeEnvironment(settings: EnvironmentSettings): Promise<CertsError | undefined> {
    this.#environment = settings;
    const staging = new Staging(this.#directory);
    const paths: string[] = [];
    let reason: unknown;
    for (const { folder, clientId } of identityProfiles) {
      // An identity that is still being made is written with its folder.
      if (!existsSync(join(this.#directory, folder))) continue;
      const file = `${folder}/client.env`;
      const path = join(this.#directory, file);
      const text = environmentText({ folder, clientId }, settings);
      if (holds(path, text)) continue;
      await staging.publishFile(file, text, modes.open).catch((error: CertsError) => {
        paths.push(path);
        reason ??= error.cause ?? error;
      });
    }
    await staging.close();
    return paths.length > 0 ? unusable("write", paths, reason) : undefined;
  }
}

/** False also for a file that cannot be read: it is replaced. */
function holds(path: string, text: string): boolean {
  try {
    return readText(path) === text;
  } catch {
    return false;
  }
}
