import type { AdminContext } from "../admin/context.js";
import type { AdjustableClock } from "../sandbox/clock.js";

/** The parts of a sandbox whose state replicas share. */
export type SharedParts = Pick<AdminContext, "clients" | "clock" | "identities" | "scenarios" | "serverCertificates">;

/** The state that commands have made, as plain data. Counters and the journal are stored in Redis separately. */
export type Snapshot = ReturnType<typeof takeSnapshot>;

/** The present state that replicas share. Plain data. */
export function takeSnapshot({ clients, clock, identities, scenarios, serverCertificates }: SharedParts) {
  return {
    clients: clients.all().map((client) => ({
      id: client.id,
      registration: client.registration,
      thumbprints: [...client.thumbprints],
      certificates: [...client.certificates.values()],
      ends: [...client.ends],
      scopes: client.scopes,
      grantTypes: client.grantTypes,
      seed: client.seed,
      clock: memoryOf(client.clock),
      scenario: client.scenario.memory(),
    })),
    registry: clients.memory(),
    clock: memoryOf(clock),
    forAll: {
      name: scenarios.activeForAll,
      since: scenarios.activeSince,
      changes: scenarios.changes,
      peers: scenarios.unregisteredPeers.memory(),
      shared: scenarios.shared.memory(),
    },
    made: identities.made(),
    server: serverCertificates.memory(),
    uploads: scenarios.library
      .all()
      .filter(({ origin }) => origin === "uploaded")
      .map(({ name, text }) => [name, text] as const),
  };
}

/** Restores a snapshot: later changes are lost. */
export async function restoreSnapshot(
  snapshot: Snapshot,
  { clients, clock, identities, scenarios, serverCertificates }: SharedParts,
): Promise<void> {
  const { library } = scenarios;
  const kept = new Map(snapshot.uploads);
  for (const { name, origin } of library.all()) if (origin === "uploaded" && !kept.has(name)) library.forget(name);
  for (const [name, text] of kept) if (library.get(name)?.text !== text) await library.upload(name, text);
  serverCertificates.restore(snapshot.server);
  clients.restore(snapshot.registry, snapshot.clients);
  for (const { id, clock: ofClient, scenario } of snapshot.clients) {
    const client = clients.get(id);
    client?.clock.restore(ofClient.setting, ofClient.changes);
    client?.scenario.restore(scenario);
  }
  clock.restore(snapshot.clock.setting, snapshot.clock.changes);
  const { name, since, changes, peers, shared } = snapshot.forAll;
  scenarios.unregisteredPeers.restore(peers);
  scenarios.shared.restore(shared);
  scenarios.restore(name, since, changes);
  for (const { thumbprint } of identities.made()) identities.forget(thumbprint);
  for (const identity of snapshot.made) identities.add(identity);
}

function memoryOf({ setting, changes }: AdjustableClock) {
  return { setting, changes };
}
