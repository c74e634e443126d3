import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ClientHandle } from "../../src/index.js";
import { patience } from "../support/patience.js";

/** The outcome of one piece of traffic; anything else is a failure of the sandbox. */
export type Outcome = "answered" | "broken on purpose" | "left by the client";

/** A client with its token. */
export interface Caller {
  readonly client: ClientHandle;
  token: string;
}

/** One piece of traffic. It throws if the sandbox did not behave as required. */
export type Piece = (caller: Caller, random: () => number) => Promise<Outcome>;

const good: Piece[] = [
  (caller) => expectStatus(caller, "/v1/ping", 200),
  (caller, random) => expectStatus(caller, `/v1/payments?pageSize=${1 + Math.floor(random() * 100)}`, 200),
  (caller) => expectStatus(caller, "/v1/payouts?status=COMPLETED", 200),
];

/**
 * Clients keep a token for many requests. The sandbox remembers the last ten thousand, which takes a long soak to fill.
 */
const renewToken: Piece = async (caller) => {
  caller.token = await inTime(caller.client.token());
  return "answered";
};

const bad: Piece[] = [
  (caller) => expectStatus(caller, "/v1/ping?produceError=true", 400),
  (caller) => expectStatus(caller, "/v1/payments?pageSize=101", 400),
  (caller) => expectStatus(caller, "/v1/payments?cursor=AAAA", 400),
  (caller) => expectStatus(caller, "/v1/unknown", 404),
  (caller) => expectStatus({ ...caller, token: `${caller.token}x` }, "/v1/ping", 401),
  async ({ client }) => {
    const answer = await inTime(client.request("/oauth/v2/oauth-token", { method: "POST", body: "x".repeat(70_000) }));
    if (answer.status < 400) throw new Error(`a bad token request was answered ${answer.status}`);
    return "answered";
  },
];

/** The scenarios of a soak. The built-in ones act only once, or a few times, for each client. */
export const scenarios: Readonly<Record<string, string>> = {
  "soak-reset": "description: For the soak.\nrules: [{ then: { connection: reset } }]",
  "soak-close": "description: For the soak.\nrules: [{ then: { connection: close } }]",
  "soak-truncate": "description: For the soak.\nrules: [{ then: { connection: truncate } }]",
  "soak-garbage": "description: For the soak.\nrules: [{ then: { connection: garbage } }]",
  "soak-error": "description: For the soak.\nrules: [{ then: { delay: 5ms, error: SERVICE_UNAVAILABLE } }]",
};

/** Each uses a scenario, which either breaks the connection or does not; the fault of `flaky` is drawn. */
const faulty: Piece[] = [
  underScenario("soak-reset", true),
  underScenario("soak-close", true),
  underScenario("soak-truncate", true),
  underScenario("soak-garbage", true),
  underScenario("soak-error", false),
  underScenario("flaky", undefined),
];

function underScenario(scenario: string, breaks: boolean | undefined): Piece {
  return async ({ client, token }) => {
    const request = client.request("/v1/payments", { token, headers: { "Sandbox-Scenario": scenario } });
    const broke = await inTime(
      request.then(
        () => false,
        () => true,
      ),
    );
    if (breaks !== undefined && broke !== breaks) {
      throw new Error(`under ${scenario} the connection ${broke ? "broke" : "held"}`);
    }
    return broke ? "broken on purpose" : "answered";
  };
}

/** Clients that disconnect, or are silent. */
const broken: Piece[] = [
  // Half of a request, then a RST.
  async ({ client }) => {
    const socket = connectTls({ ...client.tls, ...target(client) });
    await opened(socket, "secureConnect");
    socket.write("POST /oauth/v2/oauth-token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ngrant");
    return leave(socket);
  },
  // Bytes that are not TLS.
  async ({ client }) => {
    const socket = connectTcp(target(client));
    await opened(socket, "connect");
    socket.write(Buffer.alloc(64, 0x16));
    return leave(socket);
  },
  // A handshake without a request.
  async ({ client }) => {
    const socket = connectTls({ ...client.tls, ...target(client) });
    await opened(socket, "secureConnect");
    return leave(socket);
  },
  // A request whose answer is not awaited.
  async ({ client, token }) => {
    const socket = connectTls({ ...client.tls, ...target(client) });
    await opened(socket, "secureConnect");
    socket.write(`GET /v1/payments HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return leave(socket);
  },
];

/** One piece of traffic, drawn: mostly good, the rest bad, faulty or interrupted. A few request another token. */
export function drawPiece(random: () => number): Piece {
  const kind = random();
  if (kind < 0.03) return renewToken;
  const pieces = kind < 0.6 ? good : kind < 0.8 ? bad : kind < 0.92 ? faulty : broken;
  return pieces[Math.floor(random() * pieces.length)] as Piece;
}

/** Opens a TCP connection on which nothing is ever sent. It stays until it is destroyed. */
export async function halfOpen(client: ClientHandle): Promise<Socket> {
  const socket = connectTcp({ ...target(client), allowHalfOpen: true });
  socket.on("error", () => {});
  await opened(socket, "connect");
  return socket;
}

async function expectStatus({ client, token }: Caller, path: string, status: number): Promise<Outcome> {
  const answer = await inTime(client.request(path, { token }));
  if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}, not ${status}`);
  return "answered";
}

function target({ url }: ClientHandle) {
  return { host: "127.0.0.1", port: Number(new URL(url).port), servername: "localhost" };
}

function opened(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return inTime(
    new Promise((resolve, reject) => {
      socket.once(event, () => resolve());
      socket.once("error", reject);
    }),
  );
}

function leave(socket: Socket): Outcome {
  socket.on("error", () => {});
  socket.destroy();
  return "left by the client";
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived within ${patience / 1000} s`)), patience);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
