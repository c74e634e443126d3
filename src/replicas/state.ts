import type { AdminContext } from "../admin/context.js";
import type { KeptIdentity } from "../admin/identities.js";
import type { ClientRecord } from "../sandbox/clients.js";
import type { ClockMemory } from "../sandbox/clock.js";
import type { LibraryEntry } from "../sandbox/scenarios/library.js";
import type { ScenarioMemory } from "../sandbox/scenarios/state.js";
import type { ChangeScope, Stored } from "../sandbox/store.js";
import type { Mark } from "./batch.js";
import type { Recorded } from "./changes.js";
import type { SharedJournal } from "./journal.js";
import type { ReportResets } from "./report-resets.js";

/** The parts of a sandbox whose state replicas share. */
type SharedParts = Pick<AdminContext, "clients" | "clock" | "identities" | "scenarios" | "serverCertificates">;

/** A client with its keys. Without `client`, it was removed, and had these certificates. */
interface ClientText extends ClientRecord {
  readonly identities: readonly KeptIdentity[];
}

/** What changes while a client is used. */
interface UseText {
  readonly clock: ClockMemory;
  readonly scenario: ScenarioMemory;
  readonly expected: readonly string[];
  readonly hadToken: boolean;
  /** As `ReportResets` has it. */
  readonly reset: string | undefined;
}

/** The records that are there once, by name; the others are named after a client or a scenario. */
function commonOf({ clients, clock, scenarios, serverCertificates }: SharedParts, resets: ReportResets) {
  return {
    report: {
      memory: () => ({ reset: resets.nameOf() }),
      restore: (memory: { readonly reset?: string } | undefined) => resets.put("", memory?.reset),
    },
    clock,
    scenarios: scenarios.forAll,
    server: serverCertificates,
    registrations: {
      memory: () => clients.registrations,
      restore: (count: number) => {
        clients.registrations = count;
      },
    },
  };
}

/** The state of a sandbox as records: what is shared with other replicas, except for counters and the journal. */
export class SharedState implements Recorded {
  readonly #parts: SharedParts;
  readonly #journal: SharedJournal;
  readonly #resets: ReportResets;
  readonly #common: Readonly<Record<string, Stored<unknown>>>;
  readonly #initial: ReadonlyMap<string, string>;
  /** Compiled scenarios that may be needed again in this change, by their texts. */
  readonly #compiled = new Map<string, LibraryEntry>();

  constructor(
    parts: SharedParts,
    journal: SharedJournal,
    resets: ReportResets,
    readonly warn: (sentence: string) => void,
  ) {
    this.#parts = parts;
    this.#journal = journal;
    this.#resets = resets;
    this.#common = commonOf(parts, resets);
    this.#initial = new Map([...this.names(everything)].map((name) => [name, this.read(name)]));
  }

  *names({ client, allCertificates }: ChangeScope): Generator<string> {
    const { clients, scenarios } = this.#parts;
    yield* Object.keys(this.#common);
    const isOne = client !== undefined;
    for (const id of isOne ? [client] : clients.all().map((each) => each.id)) {
      if (isOne || allCertificates) yield `client:${id}`;
      yield `use:${id}`;
    }
    if (!isOne)
      for (const { name, origin } of scenarios.library.all()) if (origin === "uploaded") yield `upload:${name}`;
  }

  read(name: string): string {
    const value = this.#read(name);
    return value === undefined ? "" : JSON.stringify(value);
  }

  isRemoved(name: string, text: string): boolean {
    return text === "" || (name.startsWith("client:") && (JSON.parse(text) as ClientText).client === undefined);
  }

  takeMarks(): readonly Mark[] {
    return this.#journal.takeMarks();
  }

  confirmed(): void {
    this.#resets.confirmed();
  }

  async prepare(texts: ReadonlyMap<string, string>): Promise<void> {
    const { library } = this.#parts.scenarios;
    for (const [record, text] of texts) {
      const [kind, name] = named(record);
      if (kind === "upload" && text !== "")
        this.#compiled.set(`${record} ${text}`, await library.compile(name, JSON.parse(text)));
    }
  }

  put(texts: ReadonlyMap<string, string>): void {
    const values = new Map([...texts].map(([record, text]) => [record, naming(record, () => valueIn(text))]));
    // All clients at once: a certificate may go from one to the other. What is used needs its client.
    const clients = new Map<string, ClientText>();
    for (const [record, value] of values) {
      const [kind, id] = named(record);
      if (kind === "client")
        clients.set(
          id,
          naming(record, () => clientIn(value)),
        );
    }
    this.#putClients(clients);
    for (const [record, value] of values) naming(record, () => this.#put(record, value, texts.get(record) ?? ""));
    this.#compiled.clear();
  }

  restart(): void {
    const texts = new Map([...this.names(everything)].map((name) => [name, ""]));
    for (const [name, text] of this.#initial) texts.set(name, text);
    this.put(texts);
    this.#journal.restart();
  }

  #read(record: string): unknown {
    const [kind, name] = named(record);
    if (kind === "client") return this.#readClient(name);
    if (kind === "use") return this.#readUse(name);
    if (kind !== "upload") return this.#common[kind]?.memory();
    const entry = this.#parts.scenarios.library.get(name);
    if (entry?.origin !== "uploaded") return undefined;
    this.#compiled.set(`${record} ${JSON.stringify(entry.text)}`, entry);
    return entry.text;
  }

  #readClient(id: string): ClientText | undefined {
    const { clients, identities } = this.#parts;
    const record = clients.record(id);
    if (record.client === undefined && record.formerly.length === 0) return undefined;
    return { ...record, identities: identities.ofClients(record.client?.thumbprints ?? []) };
  }

  /** Undefined for a client that was not used in a way that matters. */
  #readUse(id: string): UseText | undefined {
    const client = this.#parts.clients.get(id);
    if (client === undefined) return undefined;
    const { clock, scenario, expected, hadToken } = client;
    const reset = this.#resets.nameOf(client.registration);
    const hasChanged = scenario.changes > 0 || clock.changes > 0 || reset !== undefined;
    const isUsed = hadToken || hasChanged || scenario.remembers || expected.length > 0;
    return isUsed ? { clock: clock.memory(), scenario: scenario.memory(), expected, hadToken, reset } : undefined;
  }

  #putClients(texts: ReadonlyMap<string, ClientText>): void {
    if (texts.size === 0) return;
    const { clients, identities } = this.#parts;
    for (const [id, { identities: made }] of texts) identities.replace([...(clients.get(id)?.thumbprints ?? [])], made);
    clients.put(texts);
  }

  #put(record: string, value: unknown, text: string): void {
    const { library } = this.#parts.scenarios;
    const [kind, name] = named(record);
    if (kind === "use") this.#putUse(name, value as UseText | undefined);
    else if (kind === "upload") {
      const entry = this.#compiled.get(`${record} ${text}`);
      if (entry) library.keep(entry);
      else library.forget(name);
    } else this.#common[kind]?.restore(value);
  }

  #putUse(id: string, { clock, scenario, expected, hadToken, reset }: UseText = unused): void {
    const client = this.#parts.clients.get(id);
    if (client === undefined) return;
    client.clock.restore(clock);
    client.scenario.restore(scenario);
    client.expected = [...expected];
    client.hadToken = hadToken;
    this.#resets.put(client.registration, reset);
  }
}

const everything: ChangeScope = { allCertificates: true };

const nobody: ClientText = { client: undefined, formerly: [], identities: [] };

const unused: UseText = {
  clock: { setting: { mode: "real" }, changes: 0 },
  scenario: { active: undefined, changes: 0, started: [], resetGeneration: 0, revoked: [] },
  expected: [],
  hadToken: false,
  reset: undefined,
};

/** The kind of a record, and the client or scenario that it is about. */
function named(record: string): readonly [kind: string, name: string] {
  const colon = record.indexOf(":");
  return colon === -1 ? [record, ""] : [record.slice(0, colon), record.slice(colon + 1)];
}

function valueIn(text: string): unknown {
  return text === "" ? undefined : JSON.parse(text);
}

/** @throws Error that names the record, if `work` fails: no sandbox wrote it */
function naming<T>(record: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new Error(`the record ${record}`);
  }
}

function clientIn(value: unknown): ClientText {
  const text = (value ?? nobody) as ClientText;
  const { client, formerly, identities } = text;
  if (![formerly, identities, client?.thumbprints ?? []].every(Array.isArray)) throw new Error("not a client");
  return text;
}
