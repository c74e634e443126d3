import { remember } from "../base/remember.js";

/** How many removed certificates are remembered; about 100 bytes each. */
const mostRemembered = 10_000;

/** The clients that had certificates which nobody has now, for explanations. Only the newest are kept. */
export class FormerHolders {
  /** By thumbprint. */
  readonly #holders = new Map<string, string>();
  /** By client; undefined until it is needed after a change. */
  #certificates: Map<string, string[]> | undefined;

  remember(thumbprint: string, client: string): void {
    remember(this.#holders, thumbprint, client, mostRemembered);
    this.#certificates = undefined;
  }

  holderOf(thumbprint: string): string | undefined {
    return this.#holders.get(thumbprint);
  }

  /** The thumbprints of the certificates that a client had. */
  certificatesOf(client: string): readonly string[] {
    if (this.#certificates === undefined) {
      this.#certificates = new Map();
      for (const [thumbprint, holder] of this.#holders) {
        const known = this.#certificates.get(holder);
        if (known) known.push(thumbprint);
        else this.#certificates.set(holder, [thumbprint]);
      }
    }
    return this.#certificates.get(client) ?? [];
  }
}
