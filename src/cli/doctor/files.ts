import { X509Certificate } from "node:crypto";
import { displayPath } from "../../base/files/display-path.js";
import { largestPem, readRegularFile, unreadableBecause } from "../../base/files/regular-file.js";
import { nameLine } from "../../base/x509/certificate.js";
import type { DoctorReport } from "./report.js";

/** A block of a PEM file: `-----BEGIN LABEL-----`. */
export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

/** What a file should contain. */
interface Role {
  /** The first word of lines about it: `Certificate`. */
  readonly name: string;
  readonly what: string;
  readonly label: RegExp;
  /** What to do if the file contains something else. */
  readonly otherwise: string;
  /** The command that converts DER. */
  readonly convert: string;
}

const certificate = {
  what: "certificate",
  label: /^(TRUSTED )?CERTIFICATE$/,
  convert: "openssl x509 -inform DER",
};

export const roles = {
  ca: { ...certificate, name: "CA", otherwise: "Give the CA's certificate: ca.pem of the certs folder." },
  cert: {
    ...certificate,
    name: "Certificate",
    otherwise: "Give the certificate, such as certs/clients/demo/cert.pem. Were the certificate and the key swapped?",
  },
  key: {
    name: "Key",
    what: "private key",
    label: /PRIVATE KEY$/,
    otherwise: "Give the private key, such as certs/clients/demo/key.pem. Were the key and the certificate swapped?",
    convert: "openssl pkey -inform DER",
  },
} as const satisfies Record<string, Role>;

/** The certificates of a file. A block that cannot be read is reported and left out. */
export async function readCertificates(path: string, role: Role, report: DoctorReport): Promise<X509Certificate[]> {
  return (await readPem(path, role, report)).flatMap(({ text }) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      report.fail(
        `${role.name} ${displayPath(path)} is broken: it cannot be read as a certificate.`,
        "Copy it again, whole.",
      );
      return [];
    }
  });
}

/** The file's blocks of the expected kind; empty, after a report, if there are none. */
export async function readPem(path: string, role: Role, report: DoctorReport): Promise<PemBlock[]> {
  const bytes = await readBytes(path, role.name, report);
  if (bytes === undefined) return [];
  const blocks = blocksOf(bytes.toString("latin1"));
  const wanted = blocks.filter(({ label }) => role.label.test(label));
  if (wanted.length === 0) {
    const [text, fix] = whatItIs(bytes, blocks, path, role);
    report.fail(`${role.name} ${displayPath(path)} ${text}.`, fix);
  }
  return wanted;
}

/** A file's bytes; undefined, after a report, if it cannot be read. */
export async function readBytes(path: string, name: string, report: DoctorReport): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path, largestPem);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = reasons[code ?? ""] ?? `cannot be read: ${unreadableBecause(error)}`;
    report.fail(`${name} ${displayPath(path)} ${reason}.`, fixFor(code));
    return undefined;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "may not be read by this user",
  EISDIR: "is a folder",
};

function fixFor(code: string | undefined): string {
  if (code === "EACCES")
    return "Run as the owner of the file. Change the owner of files that a container created as root with chown.";
  if (code === "EISDIR") return "Name the file in this folder: cert.pem, key.pem or client.p12 for an identity.";
  if (code === "NOT_REGULAR" || code === "TOO_LARGE")
    return "Name a file with a certificate or a key: cert.pem, key.pem or client.p12 for an identity.";
  return `Paths are relative to ${process.cwd()}. The identities of a sandbox are in its certs folder, under clients/NAME; the sandbox creates them when it starts.`;
}

function blocksOf(text: string): PemBlock[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map(([block, label]) => ({
    label: label ?? "",
    text: block,
  }));
}

/** What the file contains instead, and the fix. */
function whatItIs(bytes: Buffer, blocks: readonly PemBlock[], path: string, role: Role): [string, string] {
  const [other] = blocks;
  if (other) return [`holds ${article(other.label)}, and no ${role.what}`, role.otherwise];
  if (bytes.length === 0) return ["is empty", "Perhaps it was not written completely: create it again."];
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

/** The subject of a certificate on one line. */
export function subjectOf({ subject }: X509Certificate): string {
  return nameLine(subject) || "no subject";
}
