import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { issueTestCertificates } from "../../../support/certificates.js";
import { afterTest } from "../../../support/cleanups.js";

/** A request to a service that is not the sandbox. */
export interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Whether it came over the connection of the registered client. */
  readonly isRegistered: boolean;
}

export interface ForeignAnswer {
  readonly status: number;
  /** Sent as JSON, unless `headers` say something else. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that ends with its test. */
export async function listening(answer: (request: ForeignRequest) => ForeignAnswer) {
  const { close, ...service } = await listeningAll(answer);
  afterTest(close);
  return service;
}

/** A service over mutual TLS that is one function. It asks for a client's certificate, and does not insist on one. */
export async function listeningAll(answer: (request: ForeignRequest) => ForeignAnswer) {
  const certificates = issueTestCertificates();
  const { ca, server: identity, client } = certificates;
  const registered = client.x509.fingerprint256;
  const server = createServer(
    { cert: identity.cert, key: identity.key, ca: ca.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "https://host");
        const { method = "", headers } = request;
        const isRegistered = (request.socket as TLSSocket).getPeerCertificate().fingerprint256 === registered;
        const given = answer({ method, path, query, headers, body, isRegistered });
        const text = given.body === undefined ? undefined : JSON.stringify(given.body);
        response.writeHead(given.status, {
          ...(text !== undefined && { "Content-Type": "application/json" }),
          ...given.headers,
        });
        response.end(text);
      });
    },
  );
  server.on("secureConnection", (socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  return { url, ca: ca.cert, client, other: certificates.untrusted, close };
}
