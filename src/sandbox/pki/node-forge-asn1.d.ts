/**
 * Only forge's ASN.1 module. All of forge takes four times as long to load (41 ms instead of 11 ms), and its
 * certificate code cannot be used here: it supports only RSA keys, and signs fifty times slower than node:crypto.
 */
declare module "node-forge/lib/asn1.js" {
  import type { asn1 } from "node-forge";
  export type Asn1 = asn1.Asn1;
  interface DecodingOptions {
    readonly strict: boolean;
    readonly parseAllBytes: boolean;
    readonly decodeBitStrings: boolean;
  }
  const module: Omit<typeof asn1, "fromDer"> & { fromDer(bytes: string, options: DecodingOptions): Asn1 };
  export default module;
}
