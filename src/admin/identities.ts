import type { Client } from "../clients.js";

/** A certificate with its key, for a client of the sandbox or a misfit. */
export interface KeptIdentity {
  readonly name: string;
  readonly kind: "client" | "misfit";
  /** What it is for. */
  readonly purpose: string;
  /** Its folder below the certificates folder; undefined for one that was minted and is only in memory. */
  readonly folder: string | undefined;
  readonly clientId: string;
  readonly certPem: string;
  readonly keyPem: string;
  readonly thumbprint: string;
}

/** No certificate can be issued: the CA's key is not there, or cannot be read. The message says what to do. */
export class CannotIssueError extends Error {
  override readonly name = "CannotIssueError";
}

/** What an identity store needs from the part that issues certificates. */
export interface Issuer {
  /** Issues a certificate for a client. Rejects with a `CannotIssueError`. */
  mint(
    clientId: string,
    keyType: "rsa" | "ec",
  ): Promise<{ readonly certPem: string; readonly keyPem: string; readonly thumbprint: string }>;
  /** A PKCS#12 bundle, AES-256, under the usual password. */
  bundle(identity: Pick<KeptIdentity, "name" | "certPem" | "keyPem">): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The identities whose keys the sandbox has: those of the certificates folder, and those that were minted since. The registry of
 * clients tells to which client an identity belongs: its certificate is registered there.
 */
export class IdentityStore {
  readonly #standing = new Map<string, KeptIdentity>();
  readonly #minted = new Map<string, KeptIdentity>();
  readonly #bundles = new WeakMap<KeptIdentity, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(private readonly issuer: Issuer) {}

  add(identity: KeptIdentity): void {
    (identity.folder === undefined ? this.#minted : this.#standing).set(identity.thumbprint, identity);
  }

  /** Issues a certificate. It is kept only once it is registered, because a refused registration must leave nothing behind. */
  async issue(clientId: string, keyType: "rsa" | "ec"): Promise<KeptIdentity> {
    const issued = await this.issuer.mint(clientId, keyType);
    const purpose = "made by the admin API";
    return { ...issued, name: clientId, kind: "client", purpose, folder: undefined, clientId };
  }

  /** The newest identity of a client. Misfits that are registered for it do not count. */
  ofClient(client: Client): KeptIdentity | undefined {
    return [...client.thumbprints]
      .map((thumbprint) => this.byThumbprint(thumbprint))
      .findLast((identity) => identity?.kind === "client");
  }

  byThumbprint(thumbprint: string): KeptIdentity | undefined {
    return this.#minted.get(thumbprint) ?? this.#standing.get(thumbprint);
  }

  /** The folder and the purpose of an identity, for one that lies in the certificates folder. */
  inFolder(thumbprint: string): { readonly folder: string; readonly purpose: string } | undefined {
    const identity = this.byThumbprint(thumbprint);
    return identity?.folder === undefined ? undefined : { folder: identity.folder, purpose: identity.purpose };
  }

  /** The name of the misfit that has a certificate; undefined for other certificates. */
  misfitOf(thumbprint: string): string | undefined {
    const identity = this.byThumbprint(thumbprint);
    return identity?.kind === "misfit" ? identity.name : undefined;
  }

  /** Forgets an identity that was minted. Those of the folder still lie there, and explanations name them. */
  forget(thumbprint: string): void {
    this.#minted.delete(thumbprint);
  }

  /** Those that were minted since the start. */
  minted(): KeptIdentity[] {
    return [...this.#minted.values()];
  }

  /** Those of the certificates folder. */
  standing(): KeptIdentity[] {
    return [...this.#standing.values()];
  }

  /** The PKCS#12 bundle of an identity: made when it is first asked for, because most tests do not need it. */
  bundle(identity: KeptIdentity): Promise<Uint8Array<ArrayBuffer>> {
    let bundle = this.#bundles.get(identity);
    if (!bundle) {
      bundle = this.issuer.bundle(identity);
      // The next request tries again.
      bundle.catch(() => this.#bundles.delete(identity));
      this.#bundles.set(identity, bundle);
    }
    return bundle;
  }
}
