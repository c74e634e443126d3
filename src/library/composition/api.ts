import { orCannotIssue } from "../../admin/client-errors.js";
import { AdminError } from "../../admin/error.js";
import { endNow, type Registration, rotate } from "../../admin/rotation.js";
import { parseDuration } from "../../base/text/duration.js";
import { createApi } from "../../sandbox/api/app.js";
import { CorrelationRule } from "../../sandbox/api/correlation.js";
import { protocolErrorParts } from "../../sandbox/api/error-response.js";
import { operationsAt, routeRefusal } from "../../sandbox/api/request.js";
import type { CertificateControl, Operation, Service } from "../../sandbox/api/service.js";
import type { HandshakeFault } from "../../sandbox/connection/handshake-fault.js";
import { noPeer } from "../../sandbox/connection/peer.js";
import { Exchange } from "../../sandbox/journal/exchange.js";
import { unavailableRefusal } from "../../sandbox/journal/refusal.js";
import { cursorKeys } from "../../sandbox/lists/cursor.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { ActingRule } from "../../sandbox/scenarios/engine.js";
import { handshakeBreakOf } from "../../sandbox/scenarios/fault.js";
import { faultHandle } from "../../sandbox/scenarios/fault-handle.js";
import { memoryStore, StoreError } from "../../sandbox/store.js";
import { defaultLimits } from "../../sandbox/tls/limits.js";
import { startTlsServer, type TlsServer } from "../../sandbox/tls/server.js";
import type { UnansweredRequest, UnprocessedRequest } from "../../sandbox/tls/unanswered-request.js";
import { TokenService } from "../../sandbox/tokens/token-service.js";
import { firstIdentity } from "../server-certificates/server-certificates.js";
import { ServerDefects } from "../server-certificates/server-defects.js";
import type { Foundation, Records } from "./foundation.js";
import { withSharedState } from "./shared.js";

/** A token request is some hundred bytes; many servers allow 64 KiB for a form. */
const bodyLimit = 65_536;

/** Makes what the operations work with. */
export async function createService(foundation: Foundation, { recorder, keeper }: Records): Promise<Service> {
  const { configuration, certs, shared, clock, clients, identities, scenarios, serverRenewals } = foundation;
  const { assumptions, basePath } = configuration;
  const store = shared ?? keeper?.keeping(memoryStore) ?? memoryStore;
  return {
    clock,
    misfitName: (thumbprint) => identities.store.misfitName(thumbprint),
    clients,
    tokens: new TokenService({ signingKeyPem: certs.tokenSigningKeyPem, ...assumptions.values["token.format"] }),
    assumptions,
    correlation: await CorrelationRule.open(assumptions),
    cursorKeys: cursorKeys(certs.cursorKey),
    scenarios,
    basePath,
    bodyLimit,
    recorder,
    certificates: certificateControl({
      clients,
      identities: identities.store,
      readCertificate: certificateFacts,
      filesOf: identities.filesOf,
      store,
    }),
    endsConnection: (connection) => serverRenewals.endsConnection(connection),
    store,
  };
}

/** Changes certificates for scenarios as the admin API does. */
function certificateControl(registration: Registration): CertificateControl {
  const orUnavailable = (error: unknown) => {
    throw error instanceof AdminError || error instanceof StoreError ? unavailableRefusal(error.message) : error;
  };
  return {
    async renew(client, renewal) {
      // A client without files reads none, so nothing can be held back.
      const hasFiles = registration.identities.ofClient(client)?.folder !== undefined;
      const rotation = hasFiles ? renewal : { ...renewal, hold: undefined, holdFor: undefined };
      await orCannotIssue(() => rotate(client.id, rotation, registration)).catch(orUnavailable);
    },
    end: ({ id }, thumbprint, how) => endNow(id, thumbprint, how, registration).catch(orUnavailable),
  };
}

/** Records input that never became a request to the API as an exchange of its client, and makes the answer to it. */
function protocolError(problem: UnansweredRequest, service: Service, operations: readonly Operation[]) {
  const { assumptions, recorder } = service;
  const { connection, code } = problem;
  const exchange = exchangeOf(problem, service);
  // Without a readable request, there is no path.
  const here = operationsAt(exchange.target, service, operations);
  // The path may be known although the HTTP parser does not know the method.
  const refusal = code === "METHOD_NOT_ALLOWED" ? routeRefusal({ service, exchange }, here, operations) : undefined;
  const atTokenPath = here.some(({ name }) => name === "token");
  const parts = protocolErrorParts(problem, exchange, assumptions, atTokenPath, refusal);
  // Plain HTTP is in the journal as a failed handshake.
  if (connection !== undefined) recorder?.exchange(exchange);
  return { ...parts, delivery: exchange };
}

/** Records a request that was read, and is not processed. */
function unprocessed(request: UnprocessedRequest, service: Service, operations: readonly Operation[]): void {
  const exchange = exchangeOf(request, service);
  const here = operationsAt(exchange.target, service, operations);
  // As for a request that is processed: with a method that the path does not accept, it is that of the path.
  const operation = here.find(({ method }) => method === exchange.method) ?? here[0];
  exchange.routed(operation?.name, operation?.list);
  exchange.notProcessed(request.reason, request.reset);
  service.recorder?.exchange(exchange);
}

function exchangeOf(
  { connection, incoming, stream, line }: Partial<UnansweredRequest>,
  { clients, clock, correlation }: Service,
): Exchange {
  const peer = connection?.peer ?? noPeer;
  const client = peer.kind === "certificate" ? clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const { method = line?.method ?? "-", url = line?.target ?? "-", rawHeaders = [] } = incoming ?? {};
  const exchange = new Exchange(peer, method, url, rawHeaders, (client?.clock ?? clock).now());
  exchange.cameFrom(client, connection?.facts, stream);
  exchange.correlatedBy(correlation.idFor(rawHeaders));
  return exchange;
}

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
  const injectFault = () => {
    const acting = scenarios.selectHandshake();
    return acting instanceof Promise ? acting.then(handshakeFault) : handshakeFault(acting);
  };
  const server = await startTlsServer({
    ...firstIdentity(certs),
    hosts: configuration.hosts,
    port: configuration.port,
    trustedCas: [...serverCertificates.clientCas, ...configuration.tls.clientCa],
    identityFor: (serverName) => defects.identityFor(serverName) ?? serverRenewals.identity(),
    furtherPorts: defects.ports(configuration.defectPorts),
    clientCertificate: configuration.tls.clientCertificate,
    namesCas: configuration.caNames === "on",
    alpn: configuration.alpn,
    tlsVersions: { min: configuration.tlsMinVersion, max: configuration.tlsMaxVersion },
    limits: {
      maxConnections: connections.api,
      keepAliveTimeoutMs: parseDuration(configuration.keepAlive) ?? defaultLimits.keepAliveTimeoutMs,
      maxConcurrentStreams: configuration.maxStreams,
      announcesIdleEnd: configuration.keepAliveNotice === "on",
    },
    clock: machineClock,
    dateFor: (peer) =>
      (
        (peer.kind === "certificate" && service.clients.byThumbprint(peer.certificate.thumbprint)) ||
        service
      ).clock.now(),
    unindexedHeaders: [service.assumptions.values["correlation.header"].toLowerCase()],
    overrideGlobalObjects: ownsProcess,
    fetch: shared === undefined ? api.fetch : withSharedState(shared, api.fetch),
    protocolError: (problem) => protocolError(problem, service, operations),
    onUnprocessed: (request) => unprocessed(request, service, operations),
    injectFault: shared === undefined ? injectFault : () => shared.current().then(injectFault),
    refusesEnded: refusalOfEnded(service, configuration.tls.clientCertificate),
    onHandshakeFailure: (failure) => recorder.failedHandshake(failure),
    onUnusedConnection: (connection) => recorder.unusedConnection(connection),
  });
  serverCertificates.onNextCa((caPem) => server.trust(caPem));
  if (configuration.caNames === "on" && configuration.tls.clientCertificate === "request") {
    const { IssuerNames } = await import("../../sandbox/pki/issuer-names.js");
    const names = new IssuerNames([...serverCertificates.clientCas, ...configuration.tls.clientCa].join("\n"));
    service.clients.onCertificate((thumbprint, certificate) => {
      const issuers = names.change(thumbprint, certificate?.pem);
      if (issuers !== undefined) server.nameIssuers(issuers);
    });
  }
  return server;
}

/** Why the handshake refuses a certificate. */
const endReasons = {
  renewed: "Another certificate has replaced it.",
  expired: "It has expired.",
  revoked: "It was revoked.",
} as const;

function handshakeFault(acting: ActingRule | undefined): HandshakeFault | undefined {
  const does = acting && handshakeBreakOf(acting.rule.faults);
  return does && { handle: faultHandle(acting.key), does };
}

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
