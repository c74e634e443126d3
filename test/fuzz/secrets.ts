/** Finds secrets in texts: issued tokens, private keys, the token of the admin API. */
export class Secrets {
  /** Tokens by their signatures, because there are too many to search for one by one. */
  readonly #tokens = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** An issued token. Only the complete token is a secret: inputs alter tokens, and an altered token is useless. */
  addToken(token: string): void {
    const signature = token.split(".")[2];
    if (signature === undefined || signature.length < shortestSignature) return;
    this.#tokens.set(signature, token);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > mostTokens && oldest !== undefined) this.#tokens.delete(oldest);
  }

  /** A private key, PEM: each whole line of it is a secret. */
  addPrivateKey(name: string, pem: string): void {
    for (const line of pem.split("\n")) if (line.length > 40 && !line.startsWith("-----")) this.#names.set(line, name);
  }

  addText(name: string, text: string): void {
    this.#names.set(text, name);
  }

  /** The secrets in a text, unchanged or percent-encoded, by name. */
  findIn(text: string): string[] {
    const found = new Set<string>();
    for (const form of text.includes("%") ? [text, decoded(text)] : [text]) {
      for (const [secret, name] of this.#names) if (form.includes(secret)) found.add(name);
      for (const [word] of form.matchAll(/[\w-]{60,}/g)) {
        const token = this.#tokens.get(word);
        if (token !== undefined && form.includes(token)) found.add("an access token");
      }
    }
    return [...found];
  }

  /** A text with names instead of secrets, so that it can be kept. */
  takeOut(text: string, tokens: Readonly<Record<string, string>>): string {
    let clean = text;
    for (const [name, token] of Object.entries(tokens)) clean = clean.replaceAll(token, `<${name}>`);
    for (const [secret, name] of this.#names) clean = clean.replaceAll(secret, `<${name}>`);
    return clean;
  }
}

/** The shortest signature in the pattern of `findIn`, in characters; that of ES256 has 86. */
const shortestSignature = 60;

/** More than a full journal can contain; a long run gets millions of tokens. */
const mostTokens = 20_000;

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
