import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { jsonObject } from "../../base/text/json-object.js";
import { nameLine } from "../../base/x509/certificate.js";
import { basePathOf, placeOf } from "../../library/base-url.js";
import { explanationOf } from "../../library/explanation.js";
import type { AlpnProtocol } from "../../sandbox/connection/alpn.js";
import { operations } from "../../sandbox/operations.js";
import { date } from "./certificate.js";
import { askPlainly, type Content, doctorName, lookAtServer, type ShownCertificate, send } from "./connection.js";
import { subjectOf } from "./identity.js";
import type { Answer, Patient, SandboxView } from "./patient.js";
import { bad, type Finding, good, skipped, unusual } from "./report.js";

const trust =
  "Give your client the CA of this sandbox: ca.pem of its certs folder, or GET /ca.pem of its admin API. Do not turn verification off.";

/** OpenSSL's errors for an answer that is not TLS. Node gives the code EPROTO, and OpenSSL's error in the message. */
const speaksNoTls = /wrong.version.number|packet.length.too.long|http.request|record.layer.failure/i;

/** A server that refuses the client's certificate sends an alert, or only closes the connection. */
const endedByServer = /alert|ECONNRESET|EPIPE/i;

/** The alert of a server that supports none of the offered versions. */
const refusesOffer = /NO_APPLICATION_PROTOCOL/;

const nameOf: Readonly<Record<AlpnProtocol, string>> = { h2: "HTTP/2", "http/1.1": "HTTP/1.1" };

/** The client id that a token is requested for. In the identities of a sandbox, the common name is the client id. */
function clientIdOf({ inputs, sandbox, leaf }: Patient): string | undefined {
  return inputs.clientId ?? sandbox?.holder?.clientId ?? /^CN=(.+)$/m.exec(leaf?.subject ?? "")?.[1];
}

/** Why no token can be requested, if so. */
function missingFor(patient: Patient): string | undefined {
  if (patient.tls === undefined) return "these need a certificate with its key";
  return clientIdOf(patient) === undefined ? "there is no client id (--client-id)" : undefined;
}

/**
 * The first answer shows whether the server exists and is trusted. It is that to a token request, or to a ping if none
 * can be made.
 */
export async function connect(patient: Patient): Promise<readonly Finding[]> {
  const { host, hostname } = patient.inputs.url;
  const form = { grant_type: "client_credentials", client_id: clientIdOf(patient) ?? "", scope: "read" };
  const request: [string, Content?] =
    missingFor(patient) !== undefined
      ? [operations.ping.path]
      : [
          operations.token.path,
          {
            method: "POST",
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
            body: new URLSearchParams(form).toString(),
          },
        ];
  try {
    patient.answer = await send(patient, ...request);
    const { chosen } = patient.answer;
    return [
      good(`The server at ${host} is trusted, and its certificate names ${hostname}.`),
      good(
        chosen === undefined
          ? "The server chose no version of HTTP by ALPN, so HTTP/1.1 is used."
          : `The server chose ${nameOf[chosen]}; HTTP/2 and HTTP/1.1 were offered by ALPN.`,
      ),
    ];
  } catch (error) {
    return explainFailure(error as NodeJS.ErrnoException, patient);
  }
}

export async function requestToken(patient: Patient): Promise<readonly Finding[]> {
  const { answer } = patient;
  const missing = missingFor(patient);
  if (missing !== undefined) {
    const right = answer && rightUrl(answer, patient);
    const wrongPath =
      right === undefined ? [] : [bad(`Nothing answers at the path ${operations.ping.path} of the URL.`, right)];
    return [...wrongPath, skipped(`A token and a ping were not tried: ${missing}.`)];
  }
  if (answer === undefined) return [skipped("A token and a ping were not tried: there was no connection.")];
  const { access_token: token } = jsonObject(answer.text);
  if (answer.status === 200 && typeof token === "string") {
    patient.token = token;
    return [good(`The client "${clientIdOf(patient)}" got a token.`)];
  }
  return [await refusalOf("A token was refused", answer, patient), skipped("A ping was not tried: there is no token.")];
}

/** Pings over the version of HTTP that was not chosen, to find out whether the server supports both. */
export async function otherVersion(patient: Patient): Promise<Finding | undefined> {
  if (patient.token === undefined) return undefined;
  const other = patient.answer?.chosen === "h2" ? "http/1.1" : "h2";
  try {
    patient.pong = await pingWith(patient, [other, doctorName]);
  } catch (error) {
    const broken = error as NodeJS.ErrnoException;
    if (!refusesOffer.test(broken.code ?? "")) {
      patient.token = undefined;
      return brokenConnection(broken, patient.sandbox);
    }
  }
  return patient.pong?.chosen === other
    ? good(`The server also supports ${nameOf[other]}, if a client offers nothing else.`)
    : skipped(`The server does not support ${nameOf[other]}. The setting of the sandbox is tls.alpn.`);
}

export async function ping(patient: Patient): Promise<Finding | undefined> {
  if (patient.token === undefined) return undefined;
  try {
    const answer = patient.pong ?? (await pingWith(patient));
    if (answer.status < 300) return good(`A ping with the token was answered with ${answer.status}.`);
    return await refusalOf("A ping with the token was refused", answer, patient);
  } catch (error) {
    return brokenConnection(error as NodeJS.ErrnoException, patient.sandbox);
  }
}

function pingWith(patient: Patient, offers?: readonly string[]): Promise<Answer> {
  const headers = { authorization: `Bearer ${patient.token}` };
  return send(patient, operations.ping.path, { headers, ...(offers && { offers }) });
}

async function refusalOf(what: string, answer: Answer, patient: Patient): Promise<Finding> {
  const { sandbox, inputs } = patient;
  const { status, headers } = answer;
  const { code, message, error } = jsonObject(answer.text);
  const first = [code, error].find((value) => typeof value === "string");
  const text = `${what}: ${status}${first === undefined ? "" : ` ${first}`}${typeof message === "string" ? `, "${message}"` : ""}`;
  const fault = headers["sandbox-fault"];
  if (fault !== undefined) {
    const end = sandbox ? `: ${sandbox.scenario.end}` : "; choose another, or none, by the admin API.";
    return bad(text, `The scenario "${fault.split("/", 1)[0]}" does this on purpose${end}`);
  }
  const source =
    inputs.clientIdVariable === undefined
      ? ""
      : `The client id "${inputs.clientId}" comes from the variable ${inputs.clientIdVariable}. `;
  const explanation = rightUrl(answer, patient) ?? (sandbox && (await explanationOf(headers, sandbox.admin)));
  return bad(
    text,
    source +
      (explanation ??
        "The sandbox knows why: see its console, or GET /requests of its admin API (--admin-url shows it here)."),
  );
}

/** Where the API is, if the URL lacks its base path or has another one. */
function rightUrl({ status }: Answer, { inputs: { url }, sandbox }: Patient): string | undefined {
  if (status !== 404 || !sandbox || sandbox.basePath === basePathOf(url)) return undefined;
  return `The API is at ${url.origin}${sandbox.basePath}: give this URL with --url, and to your client.`;
}

/** Why there was no connection, and other problems of the server's certificate. */
async function explainFailure(error: NodeJS.ErrnoException, patient: Patient): Promise<readonly Finding[]> {
  const { sandbox, inputs } = patient;
  const words = `${error.code ?? ""} ${error.message}`;
  const problem =
    unreachable(error.code ?? "", inputs.url) ??
    (speaksNoTls.test(words) ? await notTls(inputs.url) : undefined) ??
    (endedByServer.test(words) ? await refusedHandshake(sandbox) : undefined);
  if (problem) return [problem];
  const shown = await lookAtServer(patient);
  const found = shown ? judgeServer(shown, patient) : [];
  return found.length > 0 ? found : [brokenConnection(error, sandbox)];
}

function unreachable(code: string, url: URL): Finding | undefined {
  const { host, port } = placeOf(url);
  if (code === "ECONNREFUSED")
    return bad(
      `Nothing listens at ${host}, port ${port}.`,
      "Start the sandbox (payments-sandbox start, or docker compose up), or give its URL with --url. From inside a container, localhost is the container itself: use the service's name, or host.docker.internal.",
    );
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return bad(
      `The host name ${host} is not known here.`,
      "Use localhost; names of containers are known only inside their network.",
    );
  if (["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].includes(code))
    return bad(
      `${host}, port ${port}, does not answer.`,
      "Check the address, and whether there is a firewall or a proxy in between. A scenario that hangs looks the same.",
    );
  return undefined;
}

async function notTls(url: URL): Promise<Finding> {
  const { host, port } = placeOf(url);
  const found = await askPlainly(url);
  if (typeof found === "object")
    return bad(
      `${host}, port ${port}, is the sandbox's admin API, which uses plain HTTP.`,
      `The API is at https://${url.hostname}:${found.api}.`,
    );
  return bad(
    `The server at ${host}, port ${port}, ${found === "http" ? "uses plain HTTP, not HTTPS" : "does not use TLS"}.`,
    "Give the URL of the sandbox's API; it is printed at the start (https://localhost:8443 unless a port was chosen).",
  );
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

/** A client that could not connect because it offered no version of HTTP or TLS that the sandbox supports. */
export async function refusedOffer({ sandbox }: Patient): Promise<Finding | undefined> {
  const newest = await newestFailure(sandbox);
  const what = missing[newest?.cause ?? ""];
  if (newest === undefined || what === undefined || newest.explanation.includes(doctorName)) return undefined;
  const text = `The newest client that failed to connect has no ${what} in common with the sandbox.`;
  return unusual(text, newest.explanation);
}

/** Why the sandbox refused the handshake, if it did. */
async function refusedHandshake(sandbox: SandboxView | undefined): Promise<Finding | undefined> {
  const newest = await newestFailure(sandbox);
  if (newest?.cause === "no-common-version")
    return bad("This program and the sandbox have no version of TLS in common.", newest.explanation);
  if (!newest?.cause.includes("client-certificate")) return undefined;
  return bad("The sandbox refused the certificate in the handshake.", newest.explanation);
}

/** Judges the server's certificate as a client does: chain, name, dates. */
function judgeServer({ certificate, problem }: ShownCertificate, { inputs, authorities, sandbox }: Patient): Finding[] {
  const found: Finding[] = [];
  const { scenario } = sandbox ?? {};
  const onPurpose = (fix: string) => {
    if (sandbox?.usualApiPort !== undefined)
      return `The sandbox does this on purpose on this port. A client must refuse it; the usual port is ${sandbox.usualApiPort}.`;
    return /^server-(certificate|ca)-/.test(scenario?.name ?? "")
      ? `The scenario "${scenario?.name}" is active, and does this on purpose: ${scenario?.end}`
      : fix;
  };
  const { host } = placeOf(inputs.url);
  const dates = problem === "CERT_HAS_EXPIRED" || problem === "CERT_NOT_YET_VALID";
  if (authorities?.length === 0) {
    found.push(skipped("Whether the server's certificate is trusted was not checked: the given CA was not read."));
  } else if (problem !== undefined && !dates) {
    const issuer = nameLine(certificate.issuer);
    const why = authorities === undefined ? "no CA was given" : "the given CA is another one";
    found.push(
      bad(`The server's certificate is not trusted: it was issued by ${issuer}, and ${why}.`, onPurpose(trust)),
    );
  }
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (!named)
    found.push(
      bad(
        `The server's certificate is not for ${host}, but for ${namesOf(certificate)}.`,
        onPurpose("Use localhost in the URL, or start the sandbox with --hostname NAME."),
      ),
    );
  if (problem === "CERT_HAS_EXPIRED")
    found.push(
      bad(
        `The server's certificate (or its CA's) expired: it was valid until ${date(certificate.validTo)}.`,
        onPurpose("Check the clock of this machine. The sandbox renews its certificate when it starts: restart it."),
      ),
    );
  if (problem === "CERT_NOT_YET_VALID")
    found.push(
      bad(
        `The server's certificate is not valid before ${date(certificate.validFrom)}.`,
        onPurpose("Check the clocks of this machine and of the sandbox's machine."),
      ),
    );
  return found;
}

function namesOf(certificate: X509Certificate): string {
  const names = (certificate.subjectAltName ?? "").replaceAll(/(DNS|IP Address):/g, "");
  return names === "" ? subjectOf(certificate) : names;
}

/** A broken connection without a reason that the doctor can see, and where to look. */
function brokenConnection({ code, message }: NodeJS.ErrnoException, sandbox: SandboxView | undefined): Finding {
  const text = `The connection broke (${code || message}).`;
  const { scenario } = sandbox ?? {};
  if (scenario?.name)
    return bad(text, `The scenario "${scenario.name}" is active, which may do this on purpose: ${scenario.end}`);
  return bad(
    text,
    "See GET /handshakes of the admin API: it shows what the sandbox saw. With tls.clientCertificate: require it refuses in the handshake.",
  );
}
