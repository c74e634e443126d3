import { createPrivateKey, type KeyObject, type X509Certificate } from "node:crypto";
import { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { displayPath } from "../../base/files/display-path.js";
import { contentOf, readElements, tags } from "../../base/x509/der.js";
import { type PemBlock, readBytes, readCertificates, readPem, roles, subjectOf } from "./files.js";
import type { Inputs, KeyFiles } from "./inputs.js";
import type { DoctorReport } from "./report.js";

/** What could be read from the files of a client's identity. */
export interface ClientFiles {
  readonly leaf: X509Certificate | undefined;
  /** Other certificates of the same file, in their order. */
  readonly chain: readonly X509Certificate[];
  /** What a connection presents; undefined if the files cannot be used for a connection. */
  readonly tls: KeyMaterial | undefined;
}

export type KeyMaterial =
  | { readonly cert: string; readonly key: string; readonly passphrase?: string }
  | { readonly pfx: Buffer; readonly passphrase?: string };

const nothing: ClientFiles = { leaf: undefined, chain: [], tls: undefined };

const howTo =
  "Every request needs one. Give --cert certs/clients/demo/cert.pem --key certs/clients/demo/key.pem, or --p12 certs/clients/demo/client.p12 --password sandbox, or source its environment first: set -a; . certs/clients/demo/client.env; set +a";

/** Reads the identity from its files, and reports their problems. */
export async function readIdentity({ files, p12, password }: Inputs, report: DoctorReport): Promise<ClientFiles> {
  if (files === undefined && p12 === undefined) {
    report.fail("There is no client certificate: neither a flag nor the environment names one.", howTo);
    return nothing;
  }
  if (files === undefined) return readBundle(p12 ?? "", password, report);
  const identity = await readFiles(files, password, report);
  if (p12 !== undefined) {
    const bundle = await readBundle(p12, password, report);
    if (identity.leaf && bundle.leaf && identity.leaf.fingerprint256 !== bundle.leaf.fingerprint256)
      report.warn(
        `${displayPath(p12)} has a different certificate from ${displayPath(files.cert)}.`,
        "Take both from the same folder. For the sandbox, they are two different clients.",
      );
  }
  return identity;
}

async function readFiles(files: KeyFiles, password: string | undefined, report: DoctorReport): Promise<ClientFiles> {
  const certificates = await readCertificates(files.cert, roles.cert, report);
  const [leaf, ...chain] = certificates;
  if (leaf) report.pass(`Certificate ${displayPath(files.cert)}: ${subjectOf(leaf)}.`);
  if (leaf?.ca && chain.some(({ ca }) => !ca))
    report.fail(
      "The certificates of the file are in the wrong order: a CA's comes first.",
      "Put the client's own certificate first, and then the one that issued it.",
    );
  const [block] = await readPem(files.key, roles.key, report);
  const key = block && readKey(block, files.key, password, report);
  if (!leaf || !key) return { leaf, chain, tls: undefined };
  if (!leaf.checkPrivateKey(key)) {
    report.fail(
      `Key ${displayPath(files.key)} is not the key of the certificate.`,
      "Use the two files that were made together: they are in one folder, and a new key needs a new certificate.",
    );
    return { leaf, chain, tls: undefined };
  }
  report.pass(`Key ${displayPath(files.key)}: ${kindOf(key)}, belongs to the certificate.`);
  const cert = certificates.map((certificate) => certificate.toString()).join("");
  return { leaf, chain, tls: { cert, key: key.export({ type: "pkcs8", format: "pem" }).toString() } };
}

function readKey(
  block: PemBlock,
  path: string,
  password: string | undefined,
  report: DoctorReport,
): KeyObject | undefined {
  const encrypted = block.label.startsWith("ENCRYPTED") || block.text.includes("Proc-Type: 4,ENCRYPTED");
  try {
    const key = createPrivateKey({ key: block.text, ...(encrypted && { passphrase: password ?? "" }) });
    if (encrypted)
      report.warn(
        `Key ${displayPath(path)} is encrypted.`,
        "Your client must be given its password as well, or a key that is not encrypted.",
      );
    return key;
  } catch {
    if (encrypted)
      report.fail(
        `Key ${displayPath(path)} is encrypted, and ${password === undefined ? "no password was given" : "the password is wrong"}.`,
        `Give it with --password, or remove the encryption: openssl pkey -in ${path} -out ${path}.plain`,
      );
    else
      report.fail(`Key ${displayPath(path)} is broken: it cannot be read as a private key.`, "Copy it again, whole.");
    return undefined;
  }
}

async function readBundle(path: string, password: string | undefined, report: DoctorReport): Promise<ClientFiles> {
  const pfx = await readBytes(path, "PKCS#12", report);
  if (pfx === undefined) return nothing;
  if (hasNoMac(pfx)) {
    report.fail(
      `PKCS#12 ${displayPath(path)} has no MAC, so its password cannot be checked, and OpenSSL 3.0, which Node.js 20 has, refuses it.`,
      `Write it again: openssl pkcs12 -nomacver -in ${path} -nodes -out all.pem, and then openssl pkcs12 -export -in all.pem -out ${path}`,
    );
    return nothing;
  }
  const tls = { pfx, ...(password !== undefined && { passphrase: password }) };
  try {
    const leaf = certificateOf(tls);
    report.pass(
      `PKCS#12 ${displayPath(path)}: ${leaf ? subjectOf(leaf) : "a key without a certificate"}, with its key.`,
    );
    return { leaf, chain: [], tls };
  } catch (error) {
    report.fail(...bundleProblem(path, password, error as Error));
    return nothing;
  }
}

/** Whether a PKCS#12 file has only the first two of its parts: version, content and MAC (RFC 7292 §4). */
function hasNoMac(pfx: Buffer): boolean {
  return readElements(contentOf(pfx, tags.sequence))?.length === 2;
}

/** Node has no function that reads a PKCS#12 file, but a socket that uses the file knows its certificate. */
function certificateOf(tls: KeyMaterial): X509Certificate | undefined {
  const secureContext = createSecureContext(tls);
  const nowhere = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  const socket = new TLSSocket(nowhere, { secureContext });
  try {
    return socket.getX509Certificate();
  } finally {
    socket.destroy();
  }
}

/** The problem, by OpenSSL's message. */
function bundleProblem(path: string, password: string | undefined, { message }: Error): [string, string] {
  const file = `PKCS#12 ${displayPath(path)}`;
  if (/mac verify/i.test(message))
    return [
      password === undefined ? `${file} has a password, and none was given.` : `${file} has another password.`,
      'Give it with --password. Files of the sandbox have the password "sandbox".',
    ];
  if (/unsupported/i.test(message))
    return [
      `${file} is encrypted with an algorithm that OpenSSL 3 refuses (RC2, most often), and so do Node.js, curl and Python with it.`,
      `Write it again with AES: openssl pkcs12 -legacy -in ${path} -nodes -out all.pem, and then openssl pkcs12 -export -in all.pem -out ${path}`,
    ];
  if (/private key/i.test(message))
    return [`${file} holds no private key.`, "Export the certificate together with its key."];
  if (/key.values.mismatch/i.test(message))
    return [
      `${file} holds a key that is not its certificate's.`,
      "Export it again from the two files that were made together.",
    ];
  return [
    `${file} cannot be read as PKCS#12 (${message}).`,
    "It may be cut short, or another kind of file: PEM files are given with --cert and --key.",
  ];
}

function kindOf(key: KeyObject): string {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return `RSA, ${modulusLength} bits`;
  return namedCurve === undefined ? (key.asymmetricKeyType ?? "a key") : `EC, ${namedCurve}`;
}
