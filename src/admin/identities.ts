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
  bundle(identity: Pick<KeptIdentity, "name" | "certPem" | "keyPem">): Promise<Uint8Array>;
}

/**
 * The identities whose keys the sandbox has: those of the certificates folder, and those that were minted since.
 * Whose they are is not kept here but in the registry of clients: an identity belongs to the client that its certificate is
 * registered for.
 */
export class IdentityStore {
  readonly #issuer: Issuer;
  readonly #standing = new Map<string, KeptIdentity>();
  readonly #minted = new Map<string, KeptIdentity>();
  readonly #bundles = new WeakMap<KeptIdentity, Promise<Uint8Array>>();

  constructor(issuer: Issuer) {
    this.#issuer = issuer;
  }

  /** Keeps an identity, until it is forgotten. */
  add(identity: KeptIdentity): void {
    (identity.folder === undefined ? this.#minted : this.#standing).set(identity.thumbprint, identity);
  }

  /** Issues a certificate. It is not kept before it is registered: what is refused then must leave nothing behind. */
  async issue(clientId: string, keyType: "rsa" | "ec"): Promise<KeptIdentity> {
    const issued = await this.#issuer.mint(clientId, keyType);
    return {
      ...issued,
      name: clientId,
      kind: "client",
      purpose: "made by the admin API",
      folder: undefined,
      clientId,
    };
  }

  /** The newest identity of a client. Misfits that are registered for it do not count: nobody wants to be given one. */
  ofClient(client: Client): KeptIdentity | undefined {
    return [...client.thumbprints]
      .map((thumbprint) => this.byThumbprint(thumbprint))
      .findLast((identity) => identity?.kind === "client");
  }

  byThumbprint(thumbprint: string): KeptIdentity | undefined {
    return this.#minted.get(thumbprint) ?? this.#standing.get(thumbprint);
  }

  /** Forgets an identity that was minted. Those of the folder still lie there, and explanations speak of them. */
  forget(thumbprint: string): void {
    this.#minted.delete(thumbprint);
  }

  /** Those of the certificates folder. */
  standing(): KeptIdentity[] {
    return [...this.#standing.values()];
  }

  /** The PKCS#12 bundle of an identity: made when it is first asked for, because most tests never do. */
  bundle(identity: KeptIdentity): Promise<Uint8Array> {
    let bundle = this.#bundles.get(identity);
    if (!bundle) {
      bundle = this.#issuer.bundle(identity);
      // The next one who asks may be luckier.
      bundle.catch(() => this.#bundles.delete(identity));
      this.#bundles.set(identity, bundle);
    }
    return bundle;
  }
}
