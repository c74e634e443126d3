import { systemClock } from "../../../src/sandbox/clock.js";
import type { Fetch } from "../../../src/sandbox/tls/adapter.js";
import type { Connection } from "../../../src/sandbox/tls/connection.js";
import type { HandshakeFailure } from "../../../src/sandbox/tls/handshake-failure.js";
import { startTlsServer, type TlsServer, type TlsServerOptions } from "../../../src/sandbox/tls/server.js";
import type { UnansweredRequest } from "../../../src/sandbox/tls/unanswered-request.js";
import { issueTestCertificates } from "../../support/certificates.js";
import { afterTest } from "../../support/cleanups.js";
import { HttpsClient } from "../../support/https-client.js";
import { openTls, type RawTlsOptions, startTls } from "../../support/raw-client.js";

export { eventually } from "../../support/eventually.js";

export const certificates = issueTestCertificates();

const STATUS: Readonly<Record<UnansweredRequest["code"], number>> = {
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  EXPECTATION_FAILED: 417,
  REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
  METHOD_NOT_ALLOWED: 405,
  INTERNAL_SERVER_ERROR: 500,
};

/** A response in the form that the application returns: a text, and a plain object of headers. */
export function plain(
  text: string | null,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(text, { status, headers });
}

/** A server under test, with everything that it reported. */
export interface TestServer extends TlsServer {
  readonly url: string;
  readonly problems: UnansweredRequest[];
  readonly failures: HandshakeFailure[];
  readonly unused: Connection[];
  /** For each request that reached the application. */
  readonly requests: Parameters<Fetch>[1][];
  open(options?: Partial<RawTlsOptions>): ReturnType<typeof openTls>;
  start(options?: Partial<RawTlsOptions>): ReturnType<typeof startTls>;
  client(identity?: { readonly cert: string; readonly key: string }): HttpsClient;
}

/**
 * Starts a server that answers with method and target.
 * @param afterUse registers its end and that of its clients: after the test, or, for parallel tests, after those of the
 *   file
 */
export async function startServer(
  options: Partial<TlsServerOptions> = {},
  afterUse: typeof afterTest = afterTest,
): Promise<TestServer> {
  const problems: UnansweredRequest[] = [];
  const failures: HandshakeFailure[] = [];
  const unused: Connection[] = [];
  const requests: Parameters<Fetch>[1][] = [];
  const { fetch = (request, { incoming }) => plain(`${request.method} ${incoming.url}`) } = options;
  const server = await startTlsServer({
    hosts: ["127.0.0.1"],
    port: 0,
    certificate: certificates.server.cert,
    key: certificates.server.key,
    trustedCas: [certificates.ca.cert],
    clientCertificate: "request",
    alpn: ["h2", "http/1.1"],
    clock: systemClock,
    overrideGlobalObjects: true,
    ...options,
    fetch(request, env) {
      requests.push(env);
      return fetch(request, env);
    },
    protocolError(problem) {
      problems.push(problem);
      return {
        status: STATUS[problem.code],
        headers: { "Content-Type": "application/json", "X-Correlation-ID": "made-for-the-test" },
        body: JSON.stringify({ message: problem.reason, code: problem.code }),
      };
    },
    onHandshakeFailure: (failure) => failures.push(failure),
    onUnusedConnection: (connection) => unused.push(connection),
  });
  afterUse(() => server.close({ gracePeriodMs: 0 }));
  const tls = (given: Partial<RawTlsOptions> = {}): RawTlsOptions => ({
    port: server.port,
    ca: certificates.ca.cert,
    ...given,
  });
  const url = `https://localhost:${server.port}`;
  const more: Omit<TestServer, keyof TlsServer> = {
    url,
    problems,
    failures,
    unused,
    requests,
    async open(given) {
      const client = await openTls(tls(given));
      afterUse(() => void client.socket.destroy());
      return client;
    },
    start(given) {
      const client = startTls(tls(given));
      afterUse(() => void client.socket.destroy());
      return client;
    },
    client(identity) {
      const client = new HttpsClient(url, { ca: certificates.ca.cert, ...(identity && { identity }) });
      afterUse(() => client.close());
      return client;
    },
  };
  return Object.assign(server, more);
}
