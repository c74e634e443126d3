import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

/** RSA with 2048 bits, or the elliptic curve P-256. */
export type KeyType = "rsa" | "ec";

export interface KeyPair {
  readonly keyType: KeyType;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The same four threads make keys, and read and write files. One of them stays free for files. */
const mostAtOnce = 3;

const makePair = promisify(generateKeyPair);

/**
 * Makes a key pair on the thread pool: an RSA key takes about 140 ms of one core, a P-256 key 0.03 ms (Node 20).
 * @param modulusLength of an RSA key, in bits
 */
export async function generateKeys(keyType: KeyType, modulusLength = 2048): Promise<KeyPair> {
  const pair =
    keyType === "rsa" ? await makePair("rsa", { modulusLength }) : await makePair("ec", { namedCurve: "prime256v1" });
  return { keyType, ...pair };
}

/**
 * A source of key pairs, returned in the order of the calls: the first caller (the server, before the misfits) gets the
 * first pair. At most one per core is made at a time, so that the first ones are not slowed down.
 * @param signal once it is aborted, no further pair is started, and waiting callers get its reason as an error
 */
export function keySource(keyType: KeyType, signal?: AbortSignal): () => Promise<KeyPair> {
  const most = Math.min(availableParallelism(), mostAtOnce);
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async () => {
    if (busy < most) busy += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      return await generateKeys(keyType);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

/** The PKCS#8 PEM encoding (RFC 5958, RFC 7468 §10) of a private key. */
export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** @throws Error when the text is not an unencrypted RSA or P-256 private key */
export function readKeys(keyPem: string): KeyPair {
  const privateKey = createPrivateKey(keyPem);
  const keyType = privateKey.asymmetricKeyType;
  const fits = keyType === "rsa" || (keyType === "ec" && privateKey.asymmetricKeyDetails?.namedCurve === "prime256v1");
  if (!fits) throw new Error("is neither an RSA nor a P-256 key");
  return { keyType, privateKey, publicKey: createPublicKey(privateKey) };
}
