/** Where a name is looked for, in words. */
export const secretPlaces = {
  parameter: "fields of forms and parameters of queries",
  member: "members of JSON at any depth",
  header: "headers",
} as const;

export type SecretPlace = keyof typeof secretPlaces;

interface SecretNames {
  /** In lower case, with `_` where a spelling may have `_`, `-`, `.`, a space or nothing. */
  readonly names: readonly string[];
  /** Whether a name with something before it counts as well: `db_password`, `clientSecret`. */
  readonly asEnding: boolean;
  readonly places: readonly SecretPlace[];
}

const everywhere = ["parameter", "member", "header"] as const;

/**
 * The one list of what the journal and everything that is made from it does not show: credentials by their names. The
 * table in docs/security.md derives from it.
 */
export const secretNames: readonly SecretNames[] = [
  {
    names: [
      "secret",
      "password",
      "passwd",
      "passphrase",
      "passcode",
      "assertion",
      "credentials",
      "api_key",
      "access_key",
      "private_key",
      "secret_key",
      "signing_key",
      "encryption_key",
      "subscription_key",
      "access_token",
      "refresh_token",
      "id_token",
      "auth_token",
      "api_token",
      "bearer_token",
      "session_token",
      "security_token",
      "subject_token",
      "actor_token",
      "csrf_token",
    ],
    asEnding: true,
    places: everywhere,
  },
  {
    names: [
      "token",
      "jwt",
      "pin",
      "otp",
      "pwd",
      "pass",
      "credential",
      "code_verifier",
      "id_token_hint",
      "saml_response",
      "authorization",
    ],
    asEnding: false,
    places: everywhere,
  },
  // The error object of an answer has a member `code`, which is no secret.
  { names: ["code", "device_code"], asEnding: false, places: ["parameter"] },
  { names: ["cookie", "cookie2", "set_cookie", "dpop", "x_auth"], asEnding: false, places: ["header"] },
  { names: ["authorization", "authentication", "token", "-key"], asEnding: true, places: ["header"] },
];

/** Headers that end like a secret and are none. */
export const publicHeaders: readonly string[] = ["Idempotency-Key", "X-Idempotency-Key", "Sec-WebSocket-Key"];

/** What can follow a name: a number, or the index of an array. */
const tail = String.raw`[\d[\]._-]*`;

/** Whether a decoded name at a place is that of a secret. */
export function isSecretName(name: string, place: SecretPlace): boolean {
  return patterns[place].test(name) && !(place === "header" && notSecret.has(name.toLowerCase()));
}

const notSecret = new Set(publicHeaders.map((name) => name.toLowerCase()));

const patterns: Readonly<Record<SecretPlace, RegExp>> = {
  parameter: patternOf("parameter"),
  member: patternOf("member"),
  header: patternOf("header"),
};

function patternOf(place: SecretPlace): RegExp {
  const here = secretNames.filter(({ places }) => places.includes(place));
  const listed = (asEnding: boolean) => here.filter((row) => row.asEnding === asEnding).flatMap(({ names }) => names);
  // A whole name may stand in a path, such as `user[pin]`.
  return new RegExp(`(?:${alternatives(listed(true))}|(?:^|[.[\\]/:])(?:${alternatives(listed(false))}))${tail}$`, "i");
}

function alternatives(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[_-]/g, (mark) => (mark === "_" ? "[-_. +]?" : "[-_.]"))).join("|");
}

/** A name that may be that of a secret, as a source of a pattern. */
const anySecretName = alternatives(shortest(secretNames.flatMap(({ names }) => names)));

/** Without the names that end with another one. */
function shortest(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => !names.some((other) => other !== name && name.endsWith(other)));
}

/** Matches a name with its delimiter: `=`, or the quotation mark behind the name of a member. */
export const namedSecret = new RegExp(`(?:${anySecretName})${tail}(?:"|=)`, "i");
