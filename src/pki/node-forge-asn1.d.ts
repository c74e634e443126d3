/**
 * forge's ASN.1 module alone. The whole of forge takes four times as long to load (41 ms against 11 ms), and of its
 * certificate code nothing could be used: it knows RSA keys only, and signs fifty times slower than node:crypto.
 */
declare module "node-forge/lib/asn1.js" {
  export interface Asn1 {
    readonly tagClass: number;
    readonly type: number;
    readonly constructed: boolean;
    /** Bytes as a "binary" string (one character for each byte), or the parts of a constructed value. */
    readonly value: string | Asn1[];
  }
  interface Asn1Module {
    readonly Class: { readonly UNIVERSAL: number; readonly CONTEXT_SPECIFIC: number };
    readonly Type: Readonly<
      Record<
        | "BOOLEAN"
        | "INTEGER"
        | "BITSTRING"
        | "OCTETSTRING"
        | "NULL"
        | "OID"
        | "UTF8"
        | "SEQUENCE"
        | "SET"
        | "UTCTIME"
        | "GENERALIZEDTIME"
        | "BMPSTRING",
        number
      >
    >;
    create(tagClass: number, type: number, constructed: boolean, value: string | Asn1[]): Asn1;
    fromDer(bytes: string, options: { strict: boolean; parseAllBytes: boolean; decodeBitStrings: boolean }): Asn1;
    toDer(value: Asn1): { getBytes(): string };
    oidToDer(oid: string): { getBytes(): string };
    derToOid(bytes: string): string;
    dateToUtcTime(date: Date): string;
    dateToGeneralizedTime(date: Date): string;
  }
  const asn1: Asn1Module;
  export default asn1;
}
