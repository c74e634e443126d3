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

/** What an identity store needs from the part that issues certificates. */
export interface Issuer {
  /** Issues a certificate for a client. */
  mint(
    clientId: string,
    keyType: "rsa" | "ec",
  ): Promise<{ readonly certPem: string; readonly keyPem: string; readonly thumbprint: string }>;
  /** A PKCS#12 bundle, AES-256, under the usual password. */
  bundle(identity: Pick<KeptIdentity, "name" | "certPem" | "keyPem">): Promise<Uint8Array>;
}

/** The identities whose keys the sandbox has: those of the certificates folder, and those that were minted since. */
export class IdentityStore {
  readonly #issuer: Issuer;
  readonly #byThumbprint = new Map<string, KeptIdentity>();
  /** The identity that is handed out for a client. */
  readonly #byClient = new Map<string, KeptIdentity>();
  readonly #bundles = new WeakMap<KeptIdentity, Promise<Uint8Array>>();

  constructor(issuer: Issuer) {
    this.#issuer = issuer;
  }

  /** Adds an identity of the certificates folder. */
  add(identity: KeptIdentity): void {
    this.#byThumbprint.set(identity.thumbprint, identity);
    if (identity.kind === "client") this.#byClient.set(identity.clientId, identity);
  }

  /** Issues a certificate and keeps it, with its key, in memory. */
  async mint(clientId: string, keyType: "rsa" | "ec", purpose: string): Promise<KeptIdentity> {
    const issued = await this.#issuer.mint(clientId, keyType);
    const identity: KeptIdentity = { ...issued, name: clientId, kind: "client", purpose, folder: undefined, clientId };
    this.add(identity);
    return identity;
  }

  /** The newest identity of a client, where the sandbox has its key. */
  ofClient(clientId: string): KeptIdentity | undefined {
    return this.#byClient.get(clientId);
  }

  byThumbprint(thumbprint: string): KeptIdentity | undefined {
    return this.#byThumbprint.get(thumbprint);
  }

  /** Forgets the identities of a client. */
  forget(clientId: string): void {
    this.#byClient.delete(clientId);
    for (const [thumbprint, identity] of this.#byThumbprint) {
      if (identity.clientId === clientId && identity.kind === "client") this.#byThumbprint.delete(thumbprint);
    }
  }

  /** All identities, those of the folder first. */
  all(): KeptIdentity[] {
    return [...this.#byThumbprint.values()];
  }

  /** The PKCS#12 bundle of an identity: made when it is first asked for, because most tests never do. */
  bundle(identity: KeptIdentity): Promise<Uint8Array> {
    let bundle = this.#bundles.get(identity);
    if (!bundle) {
      bundle = this.#issuer.bundle(identity);
      this.#bundles.set(identity, bundle);
    }
    return bundle;
  }
}
