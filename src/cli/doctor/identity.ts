import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { displayPath } from "../../base/files/display-path.js";
import { largestPem, readRegularFile, unreadableBecause } from "../../base/files/regular-file.js";
import { nameLine } from "../../base/x509/certificate.js";
import { contentOf, readElements, tags } from "../../base/x509/der.js";
import type { KeyMaterial, Patient } from "./patient.js";
import { bad, type Finding, FoundError, good, unusual } from "./report.js";

/** A block of a PEM file: `-----BEGIN LABEL-----`. */
interface PemBlock {
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

/** The certificates of a file, and what is wrong with it. A block that cannot be read is left out. */
export async function readCertificates(
  path: string,
  role: Role,
): Promise<{ readonly certificates: readonly X509Certificate[]; readonly broken: readonly Finding[] }> {
  const broken: Finding[] = [];
  const certificates = (await readPem(path, role)).flatMap(({ text }) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      const what = `${role.name} ${displayPath(path)} is broken: it cannot be read as a certificate.`;
      broken.push(bad(what, "Copy it again, whole."));
      return [];
    }
  });
  return { certificates, broken };
}

/**
 * The file's blocks of the expected kind.
 * @throws FoundError if there are none
 */
async function readPem(path: string, role: Role): Promise<PemBlock[]> {
  const bytes = await readBytes(path, role.name);
  const blocks = blocksOf(bytes.toString("latin1"));
  const wanted = blocks.filter(({ label }) => role.label.test(label));
  if (wanted.length > 0) return wanted;
  const [text, fix] = whatItIs(bytes, blocks, path, role);
  throw new FoundError(bad(`${role.name} ${displayPath(path)} ${text}.`, fix));
}

/** @throws FoundError if the file cannot be read */
async function readBytes(path: string, name: string): Promise<Buffer> {
  try {
    return await readRegularFile(path, largestPem);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = reasons[code ?? ""] ?? `cannot be read: ${unreadableBecause(error)}`;
    throw new FoundError(bad(`${name} ${displayPath(path)} ${reason}.`, fixFor(code)));
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

export async function readCertificate(patient: Patient): Promise<readonly (Finding | undefined)[]> {
  const { files } = patient.inputs;
  if (files === undefined) return [];
  const { certificates, broken } = await readCertificates(files.cert, roles.cert);
  const [leaf, ...chain] = certificates;
  patient.leaf = leaf;
  patient.chain = chain;
  return [
    ...broken,
    leaf && good(`Certificate ${displayPath(files.cert)}: ${subjectOf(leaf)}.`),
    leaf?.ca && chain.some(({ ca }) => !ca)
      ? bad(
          "The certificates of the file are in the wrong order: a CA's comes first.",
          "Put the client's own certificate first, and then the one that issued it.",
        )
      : undefined,
  ];
}

export async function readKeyOf(patient: Patient): Promise<readonly Finding[]> {
  const { leaf, chain, inputs } = patient;
  if (inputs.files === undefined) return [];
  const { key: path } = inputs.files;
  const file = `Key ${displayPath(path)}`;
  const [block] = await readPem(path, roles.key);
  const encrypted = isEncrypted(block as PemBlock);
  const key = readKey(block as PemBlock, path, inputs.password);
  const warning = encrypted
    ? [
        unusual(
          `${file} is encrypted.`,
          "Your client must be given its password as well, or a key that is not encrypted.",
        ),
      ]
    : [];
  if (!leaf) return warning;
  if (!leaf.checkPrivateKey(key))
    return [
      ...warning,
      bad(
        `${file} is not the key of the certificate.`,
        "Use the two files that were made together: they are in one folder, and a new key needs a new certificate.",
      ),
    ];
  const cert = [leaf, ...chain].map((certificate) => certificate.toString()).join("");
  patient.tls = { cert, key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  return [...warning, good(`${file}: ${kindOf(key)}, belongs to the certificate.`)];
}

function isEncrypted({ label, text }: PemBlock): boolean {
  return label.startsWith("ENCRYPTED") || text.includes("Proc-Type: 4,ENCRYPTED");
}

function readKey(block: PemBlock, path: string, password: string | undefined): KeyObject {
  const encrypted = isEncrypted(block);
  try {
    return createPrivateKey({ key: block.text, ...(encrypted && { passphrase: password ?? "" }) });
  } catch {
    const file = `Key ${displayPath(path)}`;
    if (!encrypted)
      throw new FoundError(bad(`${file} is broken: it cannot be read as a private key.`, "Copy it again, whole."));
    throw new FoundError(
      bad(
        `${file} is encrypted, and ${password === undefined ? "no password was given" : "the password is wrong"}.`,
        `Give it with --password, or remove the encryption: openssl pkey -in ${path} -out ${path}.plain`,
      ),
    );
  }
}

export async function readBundleOf(patient: Patient): Promise<readonly Finding[]> {
  const { p12, password, files } = patient.inputs;
  if (p12 === undefined) return [];
  const pfx = await readBytes(p12, "PKCS#12");
  const file = `PKCS#12 ${displayPath(p12)}`;
  if (hasNoMac(pfx))
    return [
      bad(
        `${file} has no MAC, so its password cannot be checked, and OpenSSL 3.0, which Node.js 20 has, refuses it.`,
        `Write it again: openssl pkcs12 -nomacver -in ${p12} -nodes -out all.pem, and then openssl pkcs12 -export -in all.pem -out ${p12}`,
      ),
    ];
  const tls = { pfx, ...(password !== undefined && { passphrase: password }) };
  const leaf = certificateOf(tls, p12);
  const found = good(`${file}: ${leaf ? subjectOf(leaf) : "a key without a certificate"}, with its key.`);
  if (files === undefined) Object.assign(patient, { leaf, tls });
  else if (patient.leaf && leaf && patient.leaf.fingerprint256 !== leaf.fingerprint256)
    return [
      found,
      unusual(
        `${displayPath(p12)} has a different certificate from ${displayPath(files.cert)}.`,
        "Take both from the same folder. For the sandbox, they are two different clients.",
      ),
    ];
  return [found];
}

/** Whether a PKCS#12 file has only the first two of its parts: version, content and MAC (RFC 7292 §4). */
function hasNoMac(pfx: Buffer): boolean {
  return readElements(contentOf(pfx, tags.sequence))?.length === 2;
}

/**
 * Node has no function that reads a PKCS#12 file, but a socket that uses the file knows its certificate.
 * @throws FoundError
 */
function certificateOf(tls: KeyMaterial, path: string): X509Certificate | undefined {
  const nowhere = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  let socket: TLSSocket | undefined;
  try {
    socket = new TLSSocket(nowhere, { secureContext: createSecureContext(tls) });
    return socket.getX509Certificate();
  } catch (error) {
    throw new FoundError(bundleProblem(path, tls.passphrase, error as Error));
  } finally {
    socket?.destroy();
  }
}

/** The problem, by OpenSSL's message. */
function bundleProblem(path: string, password: string | undefined, { message }: Error): Finding {
  const file = `PKCS#12 ${displayPath(path)}`;
  if (/mac verify/i.test(message))
    return bad(
      password === undefined ? `${file} has a password, and none was given.` : `${file} has another password.`,
      'Give it with --password. Files of the sandbox have the password "sandbox".',
    );
  if (/unsupported/i.test(message))
    return bad(
      `${file} is encrypted with an algorithm that OpenSSL 3 refuses (RC2, most often), and so do Node.js, curl and Python with it.`,
      `Write it again with AES: openssl pkcs12 -legacy -in ${path} -nodes -out all.pem, and then openssl pkcs12 -export -in all.pem -out ${path}`,
    );
  if (/private key/i.test(message))
    return bad(`${file} holds no private key.`, "Export the certificate together with its key.");
  if (/key.values.mismatch/i.test(message))
    return bad(
      `${file} holds a key that is not its certificate's.`,
      "Export it again from the two files that were made together.",
    );
  return bad(
    `${file} cannot be read as PKCS#12 (${message}).`,
    "It may be cut short, or another kind of file: PEM files are given with --cert and --key.",
  );
}

function kindOf(key: KeyObject): string {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return `RSA, ${modulusLength} bits`;
  return namedCurve === undefined ? (key.asymmetricKeyType ?? "a key") : `EC, ${namedCurve}`;
}
