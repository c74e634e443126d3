import { readFile } from "node:fs/promises";
import { displayPath } from "../display-path.js";
import type { Report } from "./report.js";

/** A block of a PEM file: `-----BEGIN LABEL-----`. */
export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

/** How a file is spoken of, and what is said where another one was given in its place. */
interface Role {
  /** How lines about it begin: `Certificate`. */
  readonly name: string;
  readonly what: string;
  readonly label: RegExp;
  /** What to do about a file with something else in it. */
  readonly otherwise: string;
  /** What turns DER into what is expected. */
  readonly convert: string;
}

export const roles = {
  ca: {
    name: "CA",
    what: "certificate",
    label: /^(TRUSTED )?CERTIFICATE$/,
    otherwise: "Give the CA's certificate: ca.pem of the certs folder.",
    convert: "openssl x509 -inform DER",
  },
  cert: {
    name: "Certificate",
    what: "certificate",
    label: /^(TRUSTED )?CERTIFICATE$/,
    otherwise: "Give the certificate, such as certs/clients/demo/cert.pem. Is it exchanged with the key?",
    convert: "openssl x509 -inform DER",
  },
  key: {
    name: "Key",
    what: "private key",
    label: /PRIVATE KEY$/,
    otherwise: "Give the private key, such as certs/clients/demo/key.pem. Is it exchanged with the certificate?",
    convert: "openssl pkey -inform DER",
  },
} as const satisfies Record<string, Role>;

/** The file's blocks of the kind that belongs there. What keeps it from being read is reported; undefined then. */
export async function readPem(path: string, role: Role, report: Report): Promise<PemBlock[] | undefined> {
  const bytes = await readBytes(path, role.name, report);
  if (bytes === undefined) return undefined;
  const blocks = blocksOf(bytes.toString("latin1"));
  const wanted = blocks.filter(({ label }) => role.label.test(label));
  if (wanted.length > 0) return wanted;
  const [text, mend] = whatItIs(bytes, blocks, path, role);
  report.bad(`${role.name} ${displayPath(path)} ${text}.`, mend);
  return undefined;
}

/** A file's bytes. What keeps it from being read is reported; undefined then. */
export async function readBytes(path: string, name: string, report: Report): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    report.bad(`${name} ${displayPath(path)} ${reasons[code ?? ""] ?? `cannot be read: ${message}`}.`, mends(code));
    return undefined;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there",
  EACCES: "may not be read by this user",
  EISDIR: "is a folder",
};

function mends(code: string | undefined): string {
  if (code === "EACCES")
    return "Run as the user to whom it belongs. Files that a container made as root can be given to you by chown.";
  if (code === "EISDIR") return "Name the file in it: cert.pem, key.pem or client.p12 for an identity.";
  return `Paths are relative to ${process.cwd()}. The identities of a sandbox lie in its certs folder, under clients/NAME; the sandbox makes them at its start.`;
}

function blocksOf(text: string): PemBlock[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map(([block, label]) => ({
    label: label ?? "",
    text: block,
  }));
}

/** What was given in place of what was expected, and what mends it. */
function whatItIs(bytes: Buffer, blocks: readonly PemBlock[], path: string, role: Role): [string, string] {
  const [other] = blocks;
  if (other) return [`holds ${article(other.label)}, and no ${role.what}`, role.otherwise];
  if (bytes.length === 0) return ["is empty", "It was perhaps not written to the end: make it again."];
  if (bytes[0] === 0xff || bytes[0] === 0xfe)
    return [
      "is UTF-16, not PEM",
      "PowerShell's > writes UTF-16. Write the file with curl -o, or Set-Content -Encoding ascii.",
    ];
  if (bytes.includes("-----BEGIN"))
    return ["is cut short: its PEM block has no end", "Copy it again, with its last line (-----END …-----)."];
  // DER: a SEQUENCE with a length of two bytes. One that begins with the version 3 is PKCS#12 (RFC 7292 §4).
  if (bytes[0] !== 0x30 || bytes[1] !== 0x82)
    return ["is not PEM", "A PEM file is text that begins with -----BEGIN …-----."];
  if (bytes.subarray(4, 7).equals(Buffer.of(2, 1, 3)))
    return ["is PKCS#12, not PEM", `Give it as --p12 ${path} --password PASSWORD.`];
  return ["is DER, not PEM", `Convert it: ${role.convert} -in ${path} -out ${path}.pem`];
}

function article(label: string): string {
  const words = label.toLowerCase();
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}
