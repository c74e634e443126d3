import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { nameLine } from "../../base/x509/certificate.js";
import { placeOf } from "../../library/base-url.js";
import { date } from "./certificate.js";
import { askPlainly, type Channel, doctorName, lookAtServer, type ShownCertificate } from "./connection.js";
import { subjectOf } from "./files.js";
import type { Examination, SandboxView } from "./sandbox-view.js";

const trust =
  "Give your client the CA of this sandbox: ca.pem of its certs folder, or GET /ca.pem of its admin API. Do not turn verification off.";

/** OpenSSL's errors for an answer that is not TLS. Node gives the code EPROTO, and OpenSSL's error in the message. */
const speaksNoTls = /wrong.version.number|packet.length.too.long|http.request|record.layer.failure/i;

/** A server that refuses the client's certificate sends an alert, or only closes the connection. */
const endedByServer = /alert|ECONNRESET|EPIPE/i;

/** Reports why there was no connection, and other problems of the server's certificate. */
export async function explainFailure(
  error: NodeJS.ErrnoException,
  channel: Channel,
  examination: Examination,
): Promise<void> {
  const { report, sandbox } = examination;
  const { url } = channel;
  const words = `${error.code ?? ""} ${error.message}`;
  const problem =
    unreachable(error.code ?? "", url) ??
    (speaksNoTls.test(words) ? await notTls(url) : undefined) ??
    (endedByServer.test(words) ? await refusedHandshake(sandbox) : undefined);
  if (problem) {
    report.fail(...problem);
    return;
  }
  const before = report.problems;
  const shown = await lookAtServer(channel);
  if (shown) judgeServer(shown, channel, examination);
  const isUnjudged = shown !== undefined && isUnread(channel);
  if (report.problems === before && !isUnjudged) report.fail(...brokenConnection(error, sandbox));
}

function unreachable(code: string, url: URL): [string, string] | undefined {
  const { host, port } = placeOf(url);
  if (code === "ECONNREFUSED")
    return [
      `Nothing listens at ${host}, port ${port}.`,
      "Start the sandbox (payments-sandbox start, or docker compose up), or give its URL with --url. From inside a container, localhost is the container itself: use the service's name, or host.docker.internal.",
    ];
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return [
      `The host name ${host} is not known here.`,
      "Use localhost; names of containers are known only inside their network.",
    ];
  if (["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(code))
    return [
      `${host}, port ${port}, does not answer.`,
      "Check the address, and whether there is a firewall or a proxy in between. A scenario that hangs looks the same.",
    ];
  return undefined;
}

async function notTls(url: URL): Promise<[string, string]> {
  const { host, port } = placeOf(url);
  const found = await askPlainly(url);
  if (typeof found === "object")
    return [
      `${host}, port ${port}, is the sandbox's admin API, which uses plain HTTP.`,
      `The API is at https://${url.hostname}:${found.api}.`,
    ];
  return [
    `The server at ${host}, port ${port}, ${found === "http" ? "uses plain HTTP, not HTTPS" : "does not use TLS"}.`,
    "Give the URL of the sandbox's API; it is printed at the start (https://localhost:8443 unless a port was chosen).",
  ];
}

/** The newest handshake that failed at the sandbox. */
async function newestFailure(sandbox: SandboxView | undefined) {
  const [newest] = (await sandbox?.admin.all("GET /handshakes", {}, 1)) ?? [];
  return newest;
}

/** What a client and the sandbox do not have in common, by the cause in the journal. */
const missing: Readonly<Record<string, string>> = {
  "no-common-application-protocol": "version of HTTP",
  "no-common-version": "version of TLS",
};

/** Reports a client that could not connect because it offered no version of HTTP or TLS that the sandbox supports. */
export async function reportRefusedOffer({ report, sandbox }: Examination): Promise<void> {
  const newest = await newestFailure(sandbox);
  const what = missing[newest?.cause ?? ""];
  if (newest === undefined || what === undefined || newest.explanation.includes(doctorName)) return;
  report.warn(
    `The newest client that failed to connect has no ${what} in common with the sandbox.`,
    newest.explanation,
  );
}

/** Why the sandbox refused the handshake, if it did. */
async function refusedHandshake(sandbox: SandboxView | undefined): Promise<[string, string] | undefined> {
  const newest = await newestFailure(sandbox);
  if (newest?.cause === "no-common-version")
    return ["This program and the sandbox have no version of TLS in common.", newest.explanation];
  if (!newest?.cause.includes("client-certificate")) return undefined;
  return ["The sandbox refused the certificate in the handshake.", newest.explanation];
}

/** Whether there is a CA that was not read. Its file has been reported. */
function isUnread({ ca }: Channel): boolean {
  return ca?.length === 0;
}

/** Judges the server's certificate as a client does: chain, name, dates. */
function judgeServer(
  { certificate, problem }: ShownCertificate,
  channel: Channel,
  { report, sandbox }: Examination,
): void {
  const { url, ca } = channel;
  const { scenario } = sandbox ?? {};
  const onPurpose = (fix: string) => {
    if (sandbox?.usualApiPort !== undefined)
      return `The sandbox does this on purpose on this port. A client must refuse it; the usual port is ${sandbox.usualApiPort}.`;
    return /^server-(certificate|ca)-/.test(scenario?.name ?? "")
      ? `The scenario "${scenario?.name}" is active, and does this on purpose: ${scenario?.end}`
      : fix;
  };
  const { host } = placeOf(url);
  const dates = problem === "CERT_HAS_EXPIRED" || problem === "CERT_NOT_YET_VALID";
  if (isUnread(channel)) {
    report.skip("Whether the server's certificate is trusted was not checked: the given CA was not read.");
  } else if (problem !== undefined && !dates) {
    const issuer = nameLine(certificate.issuer);
    const why = ca === undefined ? "no CA was given" : "the given CA is another one";
    report.fail(`The server's certificate is not trusted: it was issued by ${issuer}, and ${why}.`, onPurpose(trust));
  }
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (!named)
    report.fail(
      `The server's certificate is not for ${host}, but for ${namesOf(certificate)}.`,
      onPurpose("Use localhost in the URL, or start the sandbox with --hostname NAME."),
    );
  if (problem === "CERT_HAS_EXPIRED")
    report.fail(
      `The server's certificate (or its CA's) expired: it was valid until ${date(certificate.validTo)}.`,
      onPurpose("Check the clock of this machine. The sandbox renews its certificate when it starts: restart it."),
    );
  if (problem === "CERT_NOT_YET_VALID")
    report.fail(
      `The server's certificate is not valid before ${date(certificate.validFrom)}.`,
      onPurpose("Check the clocks of this machine and of the sandbox's machine."),
    );
}

function namesOf(certificate: X509Certificate): string {
  const names = (certificate.subjectAltName ?? "").replaceAll(/(DNS|IP Address):/g, "");
  return names === "" ? subjectOf(certificate) : names;
}

/** A broken connection without a reason that the doctor can see, and where to look. */
export function brokenConnection(
  { code, message }: NodeJS.ErrnoException,
  sandbox: SandboxView | undefined,
): [string, string] {
  const text = `The connection broke (${code || message}).`;
  const { scenario } = sandbox ?? {};
  if (scenario?.name)
    return [text, `The scenario "${scenario.name}" is active, which may do this on purpose: ${scenario.end}`];
  return [
    text,
    "See GET /handshakes of the admin API: it shows what the sandbox saw. With tls.clientCertificate: require it refuses in the handshake.",
  ];
}
