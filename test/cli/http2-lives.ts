import { Http2Client } from "../support/http2-client.js";
import { clientOf, identityIn, type RunOptions, type StartedSandbox, start } from "./command.js";

/** How many connections are open at the same time. */
const width = 8;

/** How a client ends its connection after it has sent its frames. */
const endings: readonly ((client: Http2Client, ping: () => Promise<unknown>) => unknown)[] = [
  // It reads what comes until another client is answered.
  (_client, ping) => ping(),
  (client) => client.connection.socket.end(),
  () => {},
];

/**
 * Without its cache for each thread, glibc checks more of what is freed: memory that is used after it was freed ends
 * the process at once. Other C libraries ignore the variable.
 */
const checked = { GLIBC_TUNABLES: "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165" };

/** Starts a sandbox whose process ends soon after it has used memory that it had freed. */
export function startChecked(options: RunOptions = {}): Promise<StartedSandbox> {
  return start([], { ...options, env: checked });
}

/**
 * Sends each input on a connection of its own, many at the same time, with a certificate and without, while another
 * client pings.
 * @param inputs the frames of each connection, in one write
 * @returns the statuses of the pings, one for each eight connections; 0 for a ping that failed
 */
export async function sendAll(sandbox: StartedSandbox, inputs: readonly Buffer[]): Promise<number[]> {
  const port = Number(new URL(sandbox.url).port);
  const { ca, identity } = identityIn(sandbox.certs);
  const other = clientOf(sandbox);
  const statuses: number[] = [];
  // Without a token it is refused, but it is answered.
  const ping = () =>
    other.send("/v1/ping").then(
      ({ status }) => status,
      () => 0,
    );
  for (let from = 0; from < inputs.length; from += width) {
    const talks = inputs.slice(from, from + width).map(async (bytes, place) => {
      const at = from + place;
      const client = await Http2Client.open({ port, ca, ...(at % 3 === 0 ? identity : {}) });
      if (at % 2 === 0) await client.isAlive();
      client.send(bytes);
      await endings[at % endings.length]?.(client, ping);
      client.destroy();
    });
    statuses.push(await ping());
    // A process that has ended accepts no connection. How it ended says more.
    await Promise.allSettled(talks);
    if (statuses.at(-1) === 0) break;
  }
  return statuses;
}
