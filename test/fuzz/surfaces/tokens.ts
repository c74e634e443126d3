import { type Generator, input, oneByOne, request, type Stock } from "../input.js";
import { alterBase64 } from "../mutate.js";
import type { Random } from "../random.js";

/** Order of the curve P-256 (SEC 2, §2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Altered tokens of the server: every answer must be a refusal. */
export const tokens: Generator = (random, _counter, stock) => {
  const kinds: string[] = [];
  const requests = Array.from({ length: random.between(1, 6) }, () => {
    const kind = random.pick(names);
    kinds.push(kind);
    const token = alterations[kind](random, stock);
    const scheme = random.pick(["Bearer", "Bearer", "Bearer", "bearer", "BEARER ", "DPoP", "Basic"]);
    return request("GET", random.pick(["/v1/ping", "/v1/payments"]), [`Authorization: ${scheme} ${token}`]);
  });
  return input({
    title: `altered tokens: ${kinds.join(", ")}`,
    moves: oneByOne(requests),
    requests: requests.length,
    owed: requests.length,
    refused: true,
  });
};

type Parts = [header: string, payload: string, signature: string];

const partsOf = ({ token }: Stock) => token.split(".") as Parts;

/** Each makes another text from a valid token; the result is never valid. */
const alterations = {
  "of another client": (_random: Random, { otherToken }: Stock) => otherToken,
  "other spelling of the signature": (_random: Random, { token }: Stock) => negated(token),
  "no algorithm": (random: Random, stock: Stock) => {
    const [, payload, signature] = partsOf(stock);
    return [encode({ alg: "none", typ: "at+jwt" }), payload, random.pick(["", signature])].join(".");
  },
  "other algorithm": (random: Random, stock: Stock) => {
    const [header, payload, signature] = partsOf(stock);
    const alg = random.pick(["HS256", "RS256", "PS256", "ES384", "es256", ""]);
    return [encode({ ...decode(header), alg }), payload, signature].join(".");
  },
  "other claims": (random: Random, stock: Stock) => {
    const [header, payload, signature] = partsOf(stock);
    return [header, encode({ ...decode(payload), ...random.pick(claims) }), signature].join(".");
  },
  "other signature": (random: Random, stock: Stock) => {
    const [header, payload] = partsOf(stock);
    return [header, payload, random.bytes(random.pick([0, 1, 63, 64, 65, 200])).toString("base64url")].join(".");
  },
  "other parts": (random: Random, stock: Stock) => {
    const parts = partsOf(stock);
    const { token } = stock;
    return random.pick([
      `${token}.`,
      `${token}=`,
      `.${token}`,
      parts.join(".."),
      parts.slice(0, 2).join("."),
      parts.toReversed().join("."),
    ]);
  },
  "no token": (random: Random) =>
    random.pick(["", ".", "..", "....", "e30.e30.e30", "eyJ".repeat(1_000), "a".repeat(6_000)]),
  "other characters": (random: Random, stock: Stock) => {
    const parts = partsOf(stock);
    const at = random.below(3);
    return parts.map((part, index) => (index === at ? alterBase64(random, part) : part)).join(".");
  },
};

const names = Object.keys(alterations) as (keyof typeof alterations)[];

const claims: readonly Record<string, unknown>[] = [
  { exp: 99_999_999_999 },
  { exp: "never" },
  { client_id: "other" },
  { scope: "read write" },
  { cnf: null },
  { cnf: { "x5t#S256": "A".repeat(43) } },
  { aud: ["a", "b"] },
  { jti: "x".repeat(3_000) },
];

/** ECDSA accepts both s and n - s: the same signature in another form. */
export function negated(token: string): string {
  const [header, payload, signature = ""] = token.split(".");
  const bytes = Buffer.from(signature, "base64url");
  const s = order - BigInt(`0x${bytes.subarray(32).toString("hex") || "0"}`);
  const half = Buffer.from(s.toString(16).padStart(64, "0"), "hex");
  return [header, payload, Buffer.concat([bytes.subarray(0, 32), half]).toString("base64url")].join(".");
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
