import { createApi } from "../../sandbox/api/app.js";
import type { Service } from "../../sandbox/api/service.js";
import { faultHandle } from "../../sandbox/scenarios/engine.js";
import { startTlsServer, type TlsServer } from "../../sandbox/tls/server.js";
import type { Foundation } from "./foundation.js";
import { protocolError, unprocessed } from "./protocol-error.js";
import type { Records } from "./records.js";
import { firstIdentity } from "./server-certificates.js";
import { ServerDefects } from "./server-defects.js";
import { withSharedState } from "./shared-state.js";

/**
 * Starts the API on its ports.
 * @param ownsProcess whether the globals of the process may be replaced.
 * @throws ListenError
 */
export async function startApiServer(
  {
    configuration,
    connections,
    certs,
    machineClock,
    operations,
    scenarios,
    serverCertificates,
    serverRenewals,
    shared,
  }: Foundation,
  { recorder }: Records,
  service: Service,
  ownsProcess: boolean,
): Promise<TlsServer> {
  const api = createApi(service, operations);
  const defects = new ServerDefects(certs, configuration.hostnames, machineClock, () => scenarios.serverDefect);
  const injectReset = () => {
    const fault = scenarios.selectHandshake();
    if (fault instanceof Promise) return fault.then((found) => found && faultHandle(found.key));
    return fault && faultHandle(fault.key);
  };
  const server = await startTlsServer({
    ...firstIdentity(certs),
    hosts: configuration.hosts,
    port: configuration.port,
    trustedCas: [serverCertificates.caPem, ...configuration.tls.clientCa],
    identityFor: (serverName) => defects.identityFor(serverName) ?? serverRenewals.identity(),
    furtherPorts: defects.ports(configuration.defectPorts),
    clientCertificate: configuration.tls.clientCertificate,
    alpn: configuration.alpn,
    limits: { maxConnections: connections.api },
    clock: machineClock,
    unindexedHeaders: [service.assumptions.values["correlation.header"].toLowerCase()],
    overrideGlobalObjects: ownsProcess,
    fetch: shared === undefined ? api.fetch : withSharedState(shared, api.fetch),
    protocolError: (problem) => protocolError(problem, service, operations),
    onUnprocessed: (request) => unprocessed(request, service, operations),
    injectReset: shared === undefined ? injectReset : () => shared.current().then(injectReset),
    refusesEnded: refusalOfEnded(service, configuration.tls.clientCertificate),
    onHandshakeFailure: (failure) => recorder.failedHandshake(failure),
    onUnusedConnection: (connection) => recorder.unusedConnection(connection),
  });
  serverCertificates.onNextCa((caPem) => server.trust(caPem));
  return server;
}

/** Why the handshake refuses a certificate. */
const endReasons = {
  renewed: "Another certificate has replaced it.",
  expired: "It has expired.",
  revoked: "It was revoked.",
} as const;

/**
 * What the handshake refuses of certificates that have ended, on the clocks of their clients; undefined if it refuses
 * none of them.
 */
function refusalOfEnded(
  { clients, assumptions: { values } }: Pick<Service, "clients" | "assumptions">,
  clientCertificate: "request" | "require",
): ((thumbprint: string) => string | undefined) | undefined {
  const all = values["certificate.end-refusal"] === "handshake";
  if (!all && clientCertificate === "request") return undefined;
  return (thumbprint) => {
    const client = clients.byThumbprint(thumbprint);
    if (!client) return undefined;
    const now = client.clock.now();
    const end = client.ends.get(thumbprint);
    if (end === undefined || now < end.at) {
      const { notAfter = now } = client.certificates.get(thumbprint) ?? {};
      return all && values["certificate.validity"] && now > notAfter ? endReasons.expired : undefined;
    }
    const isUnknown = end.how === "renewed" && values["certificate.end"] === "unregistered";
    return all || !isUnknown ? endReasons[end.how] : undefined;
  };
}
