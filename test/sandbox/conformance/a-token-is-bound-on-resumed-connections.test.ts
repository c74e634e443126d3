import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { openTls, parseResponses, type RawTlsOptions } from "../../support/raw-client.js";
import { type Caller, sharedSandbox, versions } from "./sandbox.js";

// §4.1 rule 2: Node would show a resumed connection's first certificate, even if the client now presents another one.
const sandbox = sharedSandbox();

/** Pings over a new connection that offers to resume a session, and collects every session that the server offers. */
async function ping(as: Caller, token: string, options: Partial<RawTlsOptions>) {
  const { port, ca } = sandbox();
  const identity = as === "nobody" ? {} : sandbox().identity(as);
  const client = await openTls({ port, ca, ...identity, ...options });
  const sessions: Buffer[] = [];
  client.socket.on("session", (session: Buffer) => sessions.push(session));
  const reused = client.socket.isSessionReused();
  const session = client.socket.getSession();
  if (session) sessions.push(session);
  const [answer] = parseResponses(
    await client.sendAndClose(
      `GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ),
  );
  return { status: answer?.status, reused, sessions, ticket: client.socket.getTLSTicket() };
}

describe.each(versions)("on %s", (version) => {
  const range = { minVersion: version, maxVersion: version };

  it("no ticket is issued, no session is resumed, and the current certificate counts", async () => {
    const token = await sandbox().token();
    const first = await ping("demo", token, range);
    expect([first.status, first.reused]).toEqual([200, false]);
    expect(first.sessions.length).toBeGreaterThan(0);
    expect(first.ticket ?? null).toBeNull();
    for (const session of first.sessions) {
      for (const [as, status] of [
        ["other", 401],
        ["lookalike", 401],
        ["nobody", 401],
        ["demo", 200],
      ] as const) {
        const next = await ping(as, token, { ...range, session });
        expect([as, next.status, next.reused]).toEqual([as, status, false]);
      }
    }
  });

  it("a renegotiation cannot change the certificate", async () => {
    const client = await openTls({ port: sandbox().port, ca: sandbox().ca, ...sandbox().identity("demo"), ...range });
    const failed = await new Promise<boolean>((resolve) => {
      // Only TLS 1.2 has it; the server refuses it by an alert or by closing.
      const started = client.socket.renegotiate({}, (error) => resolve(error !== null));
      if (started === false) resolve(true);
      client.socket.once("close", () => resolve(true));
    });
    expect(failed).toBe(true);
    client.socket.destroy();
    if (!client.socket.closed) await once(client.socket, "close");
  });
});
