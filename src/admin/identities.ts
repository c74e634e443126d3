import type { Client } from "../sandbox/clients.js";
import type { Identity, KeyedCertificate } from "../sandbox/pki/certs.js";

/** An identity whose key the sandbox has. */
export interface KeptIdentity extends Omit<Identity, "folder" | "registered"> {
  /** Its folder in the certificates folder; undefined if it was minted and is only in memory. */
  readonly folder: string | undefined;
  readonly thumbprint: string;
}

/** How a certificate is made. */
export interface CertificateRequest {
  readonly keyType: "rsa" | "ec";
  /** How long it is valid from `now` on, in milliseconds; undefined for about a year. */
  readonly validFor?: number | undefined;
  /** The sandbox's CA, or an intermediate one below it, whose certificate is then sent along. */
  readonly issuer: "root" | "intermediate";
  /** When it is made, in milliseconds since the epoch. */
  readonly now: number;
  /** The key of the certificate that it replaces, if it keeps it; otherwise a new one is made. */
  readonly keyPem?: string | undefined;
}

/** The part that issues certificates, for an identity store. */
export interface Issuer {
  /** Issues a certificate for a client. Rejects with a `CertsError`. */
  mint(clientId: string, request: CertificateRequest): Promise<KeyedCertificate & { readonly thumbprint: string }>;
  /** A PKCS#12 bundle with the usual password: AES-256, or 3DES and SHA-1 in the legacy form. */
  bundle(
    identity: Pick<KeptIdentity, "name" | "certPem" | "keyPem">,
    form: "modern" | "legacy",
  ): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The identities whose keys the sandbox has: those of the certificates folder, and those that were minted since the
 * start. The registry of clients has the owner of an identity: the certificate is registered there.
 */
export class IdentityStore {
  readonly #standing = new Map<string, KeptIdentity>();
  readonly #minted = new Map<string, KeptIdentity>();
  readonly #bundles = new WeakMap<KeptIdentity, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(private readonly issuer: Issuer) {}

  /**
   * Adds an identity. The one that was in its folder before stays, without a folder: its certificate may still be
   * valid.
   */
  add(identity: KeptIdentity): void {
    const replaced = this.#inSameFolder(identity);
    if (replaced && replaced.thumbprint !== identity.thumbprint) {
      this.#standing.delete(replaced.thumbprint);
      this.#minted.set(replaced.thumbprint, { ...replaced, folder: undefined });
    }
    (identity.folder === undefined ? this.#minted : this.#standing).set(identity.thumbprint, identity);
  }

  /**
   * Issues a certificate. The caller adds it after the registration: a refused registration must leave nothing behind.
   */
  async issue(clientId: string, request: CertificateRequest, purpose = "made by the admin API"): Promise<KeptIdentity> {
    const issued = await this.issuer.mint(clientId, request);
    return { ...issued, name: clientId, kind: "client", purpose, folder: undefined, clientId };
  }

  /** The newest identity of a client. Misfits that are registered for it do not count. */
  ofClient(client: Client): KeptIdentity | undefined {
    return this.ofClients([...client.thumbprints]).at(-1);
  }

  byThumbprint(thumbprint: string): KeptIdentity | undefined {
    return this.#minted.get(thumbprint) ?? this.#standing.get(thumbprint);
  }

  /** The folder and the purpose of an identity in the certificates folder. */
  inFolder(thumbprint: string): { readonly folder: string; readonly purpose: string } | undefined {
    const identity = this.byThumbprint(thumbprint);
    return identity?.folder === undefined ? undefined : { folder: identity.folder, purpose: identity.purpose };
  }

  /** The name of the misfit with this certificate; undefined for other certificates. */
  misfitName(thumbprint: string): string | undefined {
    const identity = this.byThumbprint(thumbprint);
    return identity?.kind === "misfit" ? identity.name : undefined;
  }

  /** Deletes a minted identity. Those of the folder still exist, and explanations name them. */
  forget(thumbprint: string): void {
    this.#minted.delete(thumbprint);
  }

  /** The identities with these certificates, without misfits. */
  ofClients(thumbprints: readonly string[]): KeptIdentity[] {
    return thumbprints.flatMap((thumbprint) => {
      const identity = this.byThumbprint(thumbprint);
      return identity?.kind === "client" ? identity : [];
    });
  }

  /**
   * Makes the identities of a client these ones.
   * @param thumbprints of its certificates before
   */
  replace(thumbprints: readonly string[], identities: readonly KeptIdentity[]): void {
    const kept = new Set(identities.map(({ thumbprint }) => thumbprint));
    for (const identity of identities) {
      const known = this.byThumbprint(identity.thumbprint);
      if (known !== undefined && known.folder === identity.folder) continue;
      this.#minted.delete(identity.thumbprint);
      this.add(identity);
    }
    for (const thumbprint of thumbprints) if (!kept.has(thumbprint)) this.#minted.delete(thumbprint);
  }

  /** The identities of the certificates folder. */
  standing(): KeptIdentity[] {
    return [...this.#standing.values()];
  }

  /** The same in the legacy form, made each time. */
  legacyBundle(identity: KeptIdentity): Promise<Uint8Array<ArrayBuffer>> {
    return this.issuer.bundle(identity, "legacy");
  }

  #inSameFolder({ folder }: KeptIdentity): KeptIdentity | undefined {
    return folder === undefined ? undefined : this.standing().find((other) => other.folder === folder);
  }

  /** The PKCS#12 bundle of an identity: made at the first request, because most tests do not need it. */
  bundle(identity: KeptIdentity): Promise<Uint8Array<ArrayBuffer>> {
    let bundle = this.#bundles.get(identity);
    if (!bundle) {
      bundle = this.issuer.bundle(identity, "modern");
      // After a failure, the next request tries again.
      bundle.catch(() => this.#bundles.delete(identity));
      this.#bundles.set(identity, bundle);
    }
    return bundle;
  }
}
