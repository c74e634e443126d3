import type { Exchange } from "../sandbox/journal/exchange.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";
import { operations } from "../sandbox/operations.js";
import type { AccessToken } from "../sandbox/tokens/token-service.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";
import type { KeptIdentity } from "./identities.js";
import { type Changes, obstacleTo, repetitionOf } from "./repetition.js";

/** How long to wait until the journal has an exchange whose connection has ended, in milliseconds. */
const noteTime = 2000;

/** How a request is sent again. */
interface RepeatOptions {
  /** Whether a fault that acted is requested again. */
  readonly replay: boolean;
  /** A fresh token in place of the one that was sent, the one that was sent, or none. */
  readonly token: "fresh" | "same" | "none";
  /** The certificate of the request, or the present one of its client. */
  readonly certificate: "same" | "present";
  readonly changes: Changes;
}

/**
 * Sends the request of an exchange again: over mutual TLS, with the same certificate, from this process.
 * @throws AdminError if it cannot be repeated, with the reason
 */
export async function repeat(
  exchange: Exchange,
  { replay, token: wanted, certificate, changes }: RepeatOptions,
  context: AdminContext,
  signal: AbortSignal,
) {
  const obstacle = obstacleTo(exchange, changes);
  if (obstacle !== undefined) throw cannotBeSent(obstacle);
  const identity = presented(exchange, certificate, context);
  const token =
    wanted === "fresh" && exchange.token ? await freshToken(exchange.token, certificate, context, signal) : undefined;
  const { text, notes: differences } = repetitionOf(exchange, {
    token,
    isWithoutToken: wanted === "none",
    replay,
    changes,
    machineNow: context.clock.behind(),
  });
  const isOther = exchange.peer.kind !== "none" && identity?.thumbprint !== exchange.peer.certificate.thumbprint;
  const notes = isOther
    ? [...differences, `The present certificate of ${identity?.clientId} replaced the one of this request.`]
    : differences;
  const { entry, problem } = await observed(identity, text, context, signal);
  const allNotes = problem === undefined ? notes : [...notes, `The connection was not closed properly: ${problem}.`];
  return {
    id: entry ? String(entry.number) : null,
    status: entry?.item.status ?? null,
    fault: entry?.item.injected ?? null,
    notes: allNotes,
  };
}

/** The certificate with its key; undefined if none was presented. */
function presented(
  { peer }: Exchange,
  certificate: RepeatOptions["certificate"],
  { identities, clients }: AdminContext,
): KeptIdentity | undefined {
  if (peer.kind === "none") return undefined;
  const { thumbprint } = peer.certificate;
  if (certificate === "present") {
    const client = clients.byThumbprint(thumbprint);
    const present = client && identities.ofClient(client);
    if (present) return present;
    throw cannotBeSent("The sandbox does not have the key of a present certificate of its client.");
  }
  const identity = identities.byThumbprint(thumbprint);
  if (identity) return identity;
  throw cannotBeSent(
    "The sandbox does not have the key of the certificate of this request: only its client can send it.",
  );
}

/** A token like the one that was sent: for the same client and scope, bound to the same certificate. */
async function freshToken(
  { clientId, scopes, thumbprint }: AccessToken,
  certificate: RepeatOptions["certificate"],
  context: AdminContext,
  signal: AbortSignal,
): Promise<string> {
  const client = context.clients.get(clientId);
  const own = certificate === "same" ? context.identities.byThumbprint(thumbprint) : undefined;
  const identity = own ?? (client && context.identities.ofClient(client));
  if (!identity)
    throw cannotBeSent(
      `The sandbox does not have a key of ${clientId}, for which the token was issued: it cannot get a fresh one.`,
    );
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, scope: scopes.join(" ") });
  const body = form.toString();
  const { host, pathname } = new URL(`${context.url()}${operations.token.path}`);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  const { answer } = await context
    .sendToApi(identity, `${head.join("\r\n")}\r\n\r\n${body}`, signal)
    .catch(unreachable);
  const token = /"access_token"\s*:\s*"([^"]+)"/.exec(answer)?.[1];
  if (token !== undefined) return token;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "no answer";
  throw new AdminError(
    "CANNOT_REPEAT",
    `The fresh token that this needs was refused (${status}). The journal says why. After a rotation, send it with the present certificate.`,
  );
}

/** Sends a request, and finds it in the journal by its source port. */
async function observed(
  identity: KeptIdentity | undefined,
  text: string,
  { journal, sendToApi, store }: AdminContext,
  signal: AbortSignal,
) {
  const byPort = new Map<number, JournalEntry<Exchange>>();
  let noted = () => {};
  const stop = journal.requests.subscribe((entry) => {
    const port = entry.item.connection?.remotePort;
    if (port !== undefined) byPort.set(port, entry);
    noted();
  });
  const unfollow = store.follow();
  try {
    const { localPort, problem } = await sendToApi(identity, text, signal).catch(unreachable);
    if (!byPort.has(localPort)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, noteTime);
        noted = () => {
          if (!byPort.has(localPort)) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return { entry: byPort.get(localPort), problem };
  } finally {
    unfollow();
    stop();
  }
}

function cannotBeSent(why: string): AdminError {
  return new AdminError("CANNOT_REPEAT", `This cannot be sent again. ${why}`);
}

function unreachable(error: Error): never {
  throw new AdminError("CANNOT_REPEAT", `The sandbox could not connect to its own API: ${error.message}.`);
}
