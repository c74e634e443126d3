import { enumerated } from "../../base/text/enumerated.js";
import { lowerFirst } from "../../base/text/letters.js";
import { type ConnectionFacts, isEndedByServer } from "../connection/connection-facts.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import { defectFacts, type PresentedDefect } from "../connection/server-defect.js";
import { describeVersions, everyVersion, protocolName, tlsVersions } from "../connection/tls-version.js";
import type { HandshakeRecord } from "./entry.js";
import { ended, instant } from "./format.js";

/** What was special about the good certificate that the server presented; empty for the one of the start. */
function explainRenewal(shown: PresentedCertificate | undefined): string {
  if (shown?.renewal === undefined) return "";
  const { thumbprint, renewal } = shown;
  const choice = renewal.chosenBy === "admin" ? "by the admin API" : "by the scenario that is active for all";
  if (renewal.issuer === "next-ca")
    return `The server presented a certificate of the next CA (thumbprint ${thumbprint}), ${choice}. It is good: a client that has read ca.pem since the announcement trusts both roots and goes on; one that holds the old ca.pem, or pins a certificate, cannot.`;
  return `The server presented its renewed certificate (thumbprint ${thumbprint}), ${choice}. It is good: a client that trusts the CA goes on, and one that pins the old certificate cannot.`;
}

/** Where its certificate is: in the folder of certificates, for commands under `run`, and for all others. */
const theCa =
  "the CA's certificate (certs/ca.pem; under `payments-sandbox run` the file that SANDBOX_CA_FILE names; or GET /ca.pem from the admin port)";

/** How a client ends a connection to a server that it does not trust: with an alert, or without one. */
const deliberate = new Set(["client-refused-our-certificate", "closed-by-client", "no-request"]);

const unused = "some clients open connections in advance, and do not use all of them";

/** Says why a handshake failed, or why a connection carried no request, and how to fix it. */
export function explainHandshake(record: HandshakeRecord): string {
  const { at, cause, alert, reason, certificate, serverName, code } = record;
  const byServer = isEndedByServer(record.end);
  if (record.serverDefect !== undefined && deliberate.has(cause)) {
    const shown = `The client got a server certificate with an intended defect (${record.serverDefect.defect}, ${choiceOf(record.serverDefect, serverName)})`;
    return byServer
      ? `${shown} and sent no request until the sandbox closed the connection. So it is not known whether the client refuses the certificate: ${unused}.`
      : `${shown} and ended the connection without a request. That is correct: a client that continues has a security bug.`;
  }
  const renewal = deliberate.has(cause) ? explainRenewal(record.serverCertificate) : "";
  if (renewal !== "")
    return `${byServer ? "The sandbox closed the connection, on which no request had come." : "The client ended the connection without a request."} ${renewal}`;
  const presented = certificate ? ` (${certificate.subject}, thumbprint ${certificate.thumbprint})` : "";
  switch (cause) {
    case "no-client-certificate":
      return "The client presented no certificate, and the sandbox requires one in the handshake (tls.clientCertificate: require in sandbox.yaml). Give the client a certificate and its key, such as clients/demo/cert.pem and clients/demo/key.pem of the certs folder. Java and Go clients that have one send it only if a CA that the sandbox trusts has issued it. .NET sends none, without a word, if its extended key usage lacks clientAuth, or if its key is not in a store that the process may read.";
    case "client-certificate-untrusted":
      return `The client's certificate${presented} was refused in the handshake: ${ended(lowerFirst(reason))} Use one that the sandbox's CA issued, such as clients/demo, or add its issuer to tls.clientCa in sandbox.yaml. If an intermediate CA issued it, such as that of clients/chained, the client must send its certificate, too.`;
    case "client-certificate-expired":
      return `The client's certificate${presented} was refused in the handshake: it expired at ${instant(certificate?.notAfter)}, and by the machine's clock, which decides here, it is ${instant(at)}. Use one that is valid now, such as clients/demo.`;
    case "client-certificate-ended":
      return `The client's certificate${presented} was refused in the handshake: ${ended(lowerFirst(reason))} Read the files of the identity again: a client that loads them once at its start goes on with the old certificate.`;
    case "client-certificate-not-yet-valid":
      return `The client's certificate${presented} was refused in the handshake: it is valid only from ${instant(certificate?.notBefore)}, and by the machine's clock, which decides here, it is ${instant(at)}. Use one that is valid now, such as clients/demo.`;
    case "client-certificate-wrong-usage":
      return `The client's certificate${presented} was refused in the handshake: ${ended(lowerFirst(reason))} Use one that has extendedKeyUsage clientAuth (and keyUsage digitalSignature), such as clients/demo.`;
    case "client-refused-our-certificate":
      return refusedByClient(alert, serverName);
    case "no-common-version":
      return explainVersions(record);
    case "no-common-cipher":
      return `The client and the sandbox have no cipher suite in common. ${ciphersOf(record)}; allow one of these in the client.`;
    case "no-common-application-protocol":
      return `The client and the sandbox have no version of HTTP in common. ${ended(reason)} A client that offers nothing speaks HTTP/1.1. Allow one of the sandbox's in the client, or change the setting tls.alpn.`;
    case "plain-http":
      return "Plain HTTP was sent to the port that speaks HTTPS. Use an https:// URL; only the admin API, on its own port, speaks plain HTTP.";
    case "not-tls":
      return "What was sent is neither TLS nor HTTP. Is this the right port?";
    case "time-out":
      return "The handshake did not finish in time. Look for what stops the client: a debugger, a proxy that does not pass TLS through, or a client that speaks another protocol and waits for the server to begin.";
    case "reset-by-scenario":
      return `The scenario that is active for all reset the connection in the handshake: ${reason}. The client is not known. A correct client opens a new connection, with a growing wait in between and a bounded number of times.`;
    case "held-by-scenario":
      return `The scenario that is active for all lets the handshake not go on: ${reason}. The client is not known. A correct client gives up after its time limit for connecting, and opens a new connection, a bounded number of times.`;
    case "no-request":
      if (byServer)
        return `The handshake succeeded, and no request came until the sandbox closed the connection: because it was not used for too long, or because the sandbox stopped. Often nothing is wrong: ${unused}.`;
      return `The handshake succeeded, but the client closed the connection without a request. Most often it found that the server's certificate is for another name than ${serverName ? `"${serverName}"` : "the address it connected to"}: use localhost, or start the sandbox with --hostname NAME. Clients that open connections in advance do it, too.`;
    case "closed-by-client":
      return `The client closed the connection during the handshake. Some clients do so, without saying why, when they do not trust the server's certificate: give the client ${theCa} as a trusted CA. Or the certificate is for another name than ${serverName ? `"${serverName}"` : "the address it connected to"}: use localhost, or start the sandbox with --hostname NAME.`;
    default:
      return `The handshake failed${code ? ` (${code})` : ""}${reason ? `: ${reason}` : ""}.`;
  }
}

/** The ciphers of the versions that the sandbox speaks. */
function ciphersOf({ versions }: HandshakeRecord): string {
  const of12 = "On TLS 1.2 the sandbox speaks ECDHE with AES-GCM only";
  const { min, max } = versions?.spoken ?? everyVersion;
  if (max === "1.2") return of12;
  return min === "1.3" ? "On TLS 1.3 the sandbox speaks the usual suites" : `${of12}, on TLS 1.3 the usual suites`;
}

/** Says which versions of TLS each side has. The settings of the sandbox matter only for a client that has one of them. */
function explainVersions({ alert, protocol, versions }: HandshakeRecord): string {
  const { spoken = everyVersion, offered } = versions ?? {};
  const { lowest, highest = protocol } = offered ?? {};
  const [min, max] = [protocolName(spoken.min), protocolName(spoken.max)];
  let client = "The client and the sandbox have no TLS version in common";
  let setting: string | undefined;
  // The names of versions are in the order of the alphabet.
  if (highest !== undefined && highest < min) {
    client = `The client offers no TLS version above ${highest}`;
    if (highest >= protocolName(tlsVersions[0])) setting = `set tls.minVersion of the sandbox to ${tlsVersions[0]}`;
  } else if (lowest !== undefined && lowest > max) {
    client = `The client offers no TLS version below ${lowest}`;
    setting = `set tls.maxVersion of the sandbox to 1.3`;
  } else if (alert !== undefined) client = `The client refused the TLS version (alert ${alert.replaceAll("_", " ")})`;
  const fix = `Allow ${spoken.min === spoken.max ? "it" : "one of these"} in the client`;
  return `${client}; the sandbox speaks ${describeVersions(spoken)}. ${fix}${setting === undefined ? "" : `, or ${setting}`}.`;
}

function refusedByClient(alert: string | undefined, serverName: string | undefined): string {
  const said = `The client refused the server's certificate${alert ? ` (alert ${alert.replaceAll("_", " ")})` : ""}.`;
  if (alert === "certificate_expired")
    return `${said} To the client, it has expired: check the clock of the client. The sandbox renews its certificate when it starts.`;
  if (alert === "unknown_ca" || alert === "certificate_unknown" || alert === "bad_certificate" || alert === undefined) {
    return `${said} Give your client ${theCa} as a trusted CA${serverName ? `, and check that "${serverName}" is a name that the sandbox has` : ""}. Do not turn verification off.`;
  }
  return `${said} Give your client ${theCa} as a trusted CA.`;
}

/**
 * What caused a defect of the server's certificate.
 * @param serverName the host name that the client requested
 */
function choiceOf({ chosenBy }: PresentedDefect, serverName: string | undefined): string {
  if (chosenBy === "host-name") return `by the host name ${serverName}`;
  return chosenBy === "port" ? "by the port" : "by the scenario that is active for all";
}

/** Says that a request came on a connection that a careful client would have closed; empty for any other connection. */
export function explainDefect(connection: Pick<ConnectionFacts, "serverDefect" | "serverName"> | undefined): string {
  if (connection?.serverDefect === undefined) return "";
  const { serverDefect, serverName } = connection;
  const { presented, acceptedBy } = defectFacts(serverDefect.defect);
  const shown = `the server presented ${presented}, on purpose (${choiceOf(serverDefect, serverName)})`;
  if (acceptedBy !== undefined)
    return `The client went on despite a certificate that it should refuse: ${shown}. ${enumerated(acceptedBy, "and")} ${acceptedBy.length === 1 ? "does" : "do"} so, too, by default; a stricter setting refuses it.`;
  return `The client went on despite a certificate that it should have refused: ${shown}. This is a security bug of the client: turn the verification of certificates and host names on.`;
}
