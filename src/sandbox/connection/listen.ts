import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { ListenError } from "./listen-error.js";

/** A machine without IPv6 reports one of these. */
const ABSENT = new Set<string | undefined>(["EAFNOSUPPORT", "EADDRNOTAVAIL"]);
/** How many free ports are tried until one is free on every host. The first one nearly always is. */
const ATTEMPTS = 20;

interface Listening<Listener> {
  readonly servers: readonly Listener[];
  readonly port: number;
  /** Of the hosts given, those that this machine has. */
  readonly addresses: readonly string[];
}

interface ListenOptions<Listener> {
  readonly hosts: readonly string[];
  /** 0 means any free port, the same on every host. */
  readonly port: number;
  /** Makes the server of each host. */
  create(): Listener;
}

/**
 * Listens for TCP on one port of several hosts. The first host must work; another that the machine does not have (IPv6,
 * mostly) is left out.
 * @throws {ListenError}; nothing listens then
 */
export async function listenOnHosts<Listener extends Server>(
  options: ListenOptions<Listener>,
): Promise<Listening<Listener>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listenOnce(options);
    } catch (error) {
      const takenElsewhere = options.port === 0 && error instanceof ListenError && error.code === "EADDRINUSE";
      if (!takenElsewhere || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listenOnce<Listener extends Server>(options: ListenOptions<Listener>): Promise<Listening<Listener>> {
  const servers: Listener[] = [];
  const addresses: string[] = [];
  let { port } = options;
  for (const host of options.hosts) {
    const server = options.create();
    try {
      port = await listen(server, host, port, options.hosts.length > 1);
    } catch (error) {
      const cause = error as NodeJS.ErrnoException;
      if (servers.length > 0 && ABSENT.has(cause.code)) continue;
      await Promise.all(servers.map(closeServer));
      throw new ListenError(host, port, cause);
    }
    servers.push(server);
    addresses.push(host);
  }
  return { servers, port, addresses };
}

/** @returns the port */
async function listen(server: Server, host: string, port: number, ipv6Only: boolean): Promise<number> {
  // Without ipv6Only, "::" takes 0.0.0.0's port away from the other listener.
  server.listen({ host, port, ipv6Only });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Stops listening; done when the last of its connections is closed. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
