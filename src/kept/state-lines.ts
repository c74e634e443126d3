import type { IdentityStore, KeptIdentity } from "../admin/identities.js";
import type { ClientRecord, ClientRegistry } from "../sandbox/clients.js";
import type { AdjustableClock, ClockMemory } from "../sandbox/clock.js";
import type { ScenarioEngine } from "../sandbox/scenarios/engine.js";
import type { ScenarioChoice } from "../sandbox/scenarios/state.js";

/** The parts of a sandbox whose state a kept run shows. */
export interface ShownParts {
  readonly clients: ClientRegistry;
  readonly clock: AdjustableClock;
  readonly identities: IdentityStore;
  readonly scenarios: ScenarioEngine;
}

/** An identity without its key. */
export type ShownIdentity = Omit<KeptIdentity, "keyPem">;

/** A line of the state: a thing as it is from now on. */
export type StateLine =
  | { readonly sandbox: SandboxState }
  | { readonly scenario: string; readonly text: string }
  | { readonly identities: readonly ShownIdentity[] }
  | ClientLine;

/** What holds for all clients. */
export interface SandboxState {
  readonly clock: ClockMemory;
  readonly scenario: string | undefined;
}

/** A client with what is shown of it. Without `record`, it was removed. */
export interface ClientLine {
  readonly client: string;
  readonly record?: ClientRecord["client"];
  readonly clock?: ClockMemory;
  /** Null for none, although one is active for all. */
  readonly scenario?: ScenarioChoice;
  readonly expected?: readonly string[];
  readonly identities?: readonly ShownIdentity[];
}

function withoutKey({ name, kind, purpose, folder, clientId, certPem, thumbprint }: KeptIdentity): ShownIdentity {
  return { name, kind, purpose, folder, clientId, certPem, thumbprint };
}

export function sandboxLine({ clock, scenarios }: ShownParts): StateLine {
  return { sandbox: { clock: clock.memory(), scenario: scenarios.forAll.name } };
}

export function identitiesLine({ identities }: ShownParts): StateLine {
  return { identities: identities.standing().map(withoutKey) };
}

export function clientLine(id: string, { clients, identities }: ShownParts): ClientLine {
  const { client: record } = clients.record(id);
  const client = clients.get(id);
  if (record === undefined || client === undefined) return { client: id };
  return {
    client: id,
    record: { ...record, certificates: record.certificates?.map((facts) => ({ ...facts, pem: "" })) ?? [] },
    clock: client.clock.memory(),
    scenario: client.scenario.active,
    expected: client.expected,
    identities: identities.ofClients(record.thumbprints).map(withoutKey),
  };
}
