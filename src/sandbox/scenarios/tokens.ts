import { forgetOldest } from "../../base/remember.js";
import type { Stored } from "../store.js";

/** A token that a client was given. */
export interface GivenToken {
  readonly text: string;
  /** Its `jti`. */
  readonly id: string;
  readonly scope: string;
  /** Of the certificate that it is bound to. */
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** That a token has ended all earlier ones of its client. */
interface EndOfEarlier {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether a scenario did that, and not the assumption `token.earlier`. */
  readonly byScenario: boolean;
}

/** What is noted of a new token. */
interface NewToken {
  /** Whether it ends the earlier ones of its client; undefined if not. */
  readonly ends: EndOfEarlier | undefined;
  /** Whether later requests get it again. */
  readonly isKept: boolean;
}

/** As plain data. */
export interface TokensMemory {
  readonly kept?: GivenToken | undefined;
  readonly end?: EndOfEarlier | undefined;
  readonly good: readonly string[];
}

/** Tokens that are good after others have ended. A client gets far fewer in the lifetime of one. */
const mostGood = 1000;

/** The tokens of one client, as far as they act on each other. */
export class ClientTokens implements Stored<TokensMemory | undefined> {
  #kept: GivenToken | undefined;
  #end: EndOfEarlier | undefined;
  /** Once tokens were ended: the ids of those that were not. */
  readonly #good = new Set<string>();

  /** Whether each further token must be noted. */
  get areNoted(): boolean {
    return this.#kept !== undefined || this.#end !== undefined;
  }

  /** A token was issued. */
  issued(token: GivenToken, { ends, isKept }: NewToken): void {
    if (isKept) this.#kept = token;
    if (ends) {
      this.#end = ends;
      this.#good.clear();
    }
    if (this.#end !== undefined) this.#good.add(token.id);
    forgetOldest(this.#good, mostGood);
  }

  /** The token that a further request for this scope gets again; undefined if it needs a new one. */
  again(scope: string, thumbprint: string, now: number): GivenToken | undefined {
    const kept = this.#kept;
    const isSame = kept?.scope === scope && kept.thumbprint === thumbprint;
    return isSame && now < kept.expiresAt && this.endOf(kept.id) === undefined ? kept : undefined;
  }

  /** How a token was ended by a later one; undefined if it was not. */
  endOf(id: string): EndOfEarlier | undefined {
    return this.#end === undefined || this.#good.has(id) ? undefined : this.#end;
  }

  /** Whether a token is given again. */
  isKept(id: string): boolean {
    return this.#kept?.id === id;
  }

  /** A token is not given again. */
  drop(id: string): void {
    if (this.isKept(id)) this.#kept = undefined;
  }

  memory(): TokensMemory | undefined {
    return this.areNoted ? { kept: this.#kept, end: this.#end, good: [...this.#good] } : undefined;
  }

  /** Undefined: every token is good, and none is given again. */
  restore({ kept, end, good }: TokensMemory = { good: [] }): void {
    this.#kept = kept;
    this.#end = end;
    this.#good.clear();
    for (const id of good) this.#good.add(id);
  }
}
