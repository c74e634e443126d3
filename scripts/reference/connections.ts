import { thousands } from "../../src/base/text/numbers.js";
import { defectFacts, defectVariable, serverDefects, tlsClients } from "../../src/sandbox/connection/server-defect.js";
import { identityProfiles } from "../../src/sandbox/pki/profiles.js";
import { defaultLimits } from "../../src/sandbox/tls/limits.js";
import { tlsClients as foreignClients } from "../../test/sandbox/conformance/tls-clients/table.js";
import { meanings, table } from "../markdown.js";

/** Certificates: those of clients, and the bad ones of the server. */
export const connectionTables = {
  identities,
  "tls-clients": clients,
  "name-constraints": constraints,
  "server-defects": defects,
  "connection-limits": limits,
};

function identities(): string {
  return table(
    ["folder below `certs/`", "what it is for"],
    identityProfiles.map(({ folder, purpose }) => [`\`${folder}\``, purpose]),
  );
}

/** Runtimes and libraries that a test connects. */
function clients(): string {
  return `${foreignClients.map(({ name, tried, byAddress }) => `${name} ${tried}${byAddress ? "" : " (by name, not by address)"}`).join(", ")}.`;
}

/** What they do with a CA that has name constraints. */
function constraints(): string {
  return table(
    ["client that trusts the CA", "a name that is not permitted", "a CA made with `strict`"],
    foreignClients.map(({ name, tried, acceptsStrict, enforcesNames }) => [
      `${name} ${tried}`,
      enforcesNames ? "refuses" : "goes on",
      acceptsStrict ? "accepts" : "refuses",
    ]),
  );
}

function defects(): string {
  return table(
    ["name", "the certificate", "variable", "who goes on"],
    serverDefects.map((defect) => {
      const { certificate, acceptedBy = [] } = defectFacts(defect);
      const goingOn = acceptedBy.length === tlsClients.length ? "all" : acceptedBy.join(", ") || "none";
      return [`\`${defect}\``, certificate, `\`${defectVariable(defect)}\``, goingOn];
    }),
  );
}

/** How much of the server one client may use. */
function limits(): string {
  const time = (milliseconds: number) => `${milliseconds / 1000} s`;
  const { headersTimeoutMs, requestTimeoutMs, handshakeTimeoutMs, keepAliveTimeoutMs, inactivityTimeoutMs } =
    defaultLimits;
  return meanings([
    ["a handshake", `${time(handshakeTimeoutMs)}; then the connection is closed`],
    [
      "the headers of a request, and a whole request",
      `${time(headersTimeoutMs)} and ${time(requestTimeoutMs)}; then 408`,
    ],
    ["a connection without a request (keep-alive)", time(keepAliveTimeoutMs)],
    ["a connection whose client does not read its answer", time(inactivityTimeoutMs)],
    [
      "target and headers of a request",
      `${thousands(defaultLimits.maxHeaderBytes)} bytes, ${defaultLimits.maxHeaders} headers; then 431`,
    ],
    ["open connections", thousands(defaultLimits.maxConnections)],
  ]);
}
