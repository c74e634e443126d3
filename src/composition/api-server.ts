import { createApi } from "../api/app.js";
import type { Operation, Service } from "../api/service.js";
import type { Clock } from "../clock.js";
import type { Configuration } from "../config/configuration.js";
import { replacesGlobals } from "../node-tuning/light-requests.js";
import type { CertificateSet } from "../pki/certs.js";
import { faultHandle } from "../scenarios/engine.js";
import { startTlsServer, type TlsServer } from "../tls/server.js";
import { protocolError } from "./protocol-error.js";
import type { Recorder } from "./recorder.js";
import { ServerDefects } from "./server-defects.js";

/** What the server of the API works with. */
interface ApiServerParts {
  readonly configuration: Configuration;
  readonly certs: CertificateSet;
  readonly machineClock: Clock;
  readonly service: Service;
  readonly operations: readonly Operation[];
  readonly recorder: Recorder;
  /** Whether somebody judges clients by the times of their requests. */
  readonly timesRequests: boolean;
  /** Whether the process runs nothing but the sandbox, so that its globals may be replaced. */
  readonly ownsProcess: boolean;
}

/** Starts the API on its ports. @throws ListenError */
export function startApiServer(parts: ApiServerParts): Promise<TlsServer> {
  const { configuration, certs, machineClock, service, operations, recorder } = parts;
  const { scenarios } = service;
  const api = createApi(service, operations);
  const defects = new ServerDefects(certs, configuration.hostnames, machineClock, () => scenarios.serverDefect);
  return startTlsServer({
    hosts: configuration.hosts,
    port: configuration.port,
    certificate: certs.server.certPem,
    key: certs.server.keyPem,
    trustedCas: [certs.caPem, ...configuration.tls.clientCa],
    identityFor: (serverName) => defects.identityFor(serverName),
    furtherPorts: defects.ports(configuration.defectPorts),
    clientCertificate: configuration.tls.clientCertificate,
    alpn: configuration.alpn,
    clock: machineClock,
    timesRequests: parts.timesRequests,
    unindexedHeaders: [service.assumptions.values["correlation.header"].toLowerCase()],
    overrideGlobalObjects: replacesGlobals(parts.ownsProcess),
    fetch: (request, env) => api.fetch(request, env),
    protocolError: (problem) => protocolError(problem, service, operations),
    injectReset: () => {
      const fault = scenarios.selectHandshake();
      if (fault instanceof Promise) return fault.then((found) => found && faultHandle(found.key));
      return fault && faultHandle(fault.key);
    },
    onHandshakeFailure: (failure) => recorder.failedHandshake(failure),
    onUnusedConnection: (connection) => recorder.unusedConnection(connection),
  });
}
