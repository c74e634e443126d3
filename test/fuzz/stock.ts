import type { Stock } from "./input.js";

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function tokenOf(client: string): string {
  const signature = Buffer.alloc(64, 0x5a).toString("base64url");
  return [encode({ alg: "ES256", typ: "at+jwt" }), encode({ client_id: client, exp: 1 }), signature].join(".");
}

/** A made-up stock, the same in every run, for tests of the inputs. */
export const madeUpStock: Stock = {
  token: tokenOf("demo"),
  otherToken: tokenOf("other"),
  cursors: ["A", "B", "C"].map((letter) => Buffer.from(letter.repeat(60)).toString("base64url")),
  privateKey: `-----BEGIN PRIVATE KEY-----\n${"M".repeat(64)}\n${"N".repeat(64)}\n-----END PRIVATE KEY-----\n`,
  certificate: `-----BEGIN CERTIFICATE-----\n${"C".repeat(64)}\n-----END CERTIFICATE-----\n`,
  adminToken: "made-up-token-of-the-admin-api-0123456789",
  clientHello: Buffer.concat([Buffer.of(22, 3, 1, 0, 200), Buffer.alloc(200, 1)]),
  scenarios: ["description: One.\nrules: [{ then: { error: INVALID_CURSOR } }]\n", "description: Two.\nrules: []\n"],
};
