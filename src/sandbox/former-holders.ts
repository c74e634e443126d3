import { grouped } from "../base/grouped.js";
import { remember } from "../base/remember.js";

/** How many removed certificates are remembered; about 100 bytes each. */
const mostRemembered = 10_000;

/** The clients that had certificates which nobody has now, for explanations. Only the newest are kept. */
export class FormerHolders {
  /** By thumbprint. */
  readonly #holders = new Map<string, string>();
  /** By client; undefined until it is needed after a change. */
  #certificates: ReadonlyMap<string | undefined, readonly string[]> | undefined;

  remember(thumbprint: string, client: string): void {
    remember(this.#holders, thumbprint, client, mostRemembered);
    this.#certificates = undefined;
  }

  holderOf(thumbprint: string): string | undefined {
    return this.#holders.get(thumbprint);
  }

  /** The thumbprints of the certificates that a client had. */
  certificatesOf(client: string): readonly string[] {
    this.#certificates ??= grouped([...this.#holders.keys()], (thumbprint) => this.#holders.get(thumbprint));
    return this.#certificates.get(client) ?? [];
  }
}
