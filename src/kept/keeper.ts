import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Exam } from "../exam/exam.js";
import type { ObservationContext } from "../exam/observe/exchange.js";
import type { Client } from "../sandbox/clients.js";
import type { ConnectionFacts } from "../sandbox/connection/connection-facts.js";
import type { TrafficListener } from "../sandbox/events.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { ChangeScope, Store } from "../sandbox/store.js";
import { RequestFiles, StateFile } from "./bounded-files.js";
import { keptExchange, keptObservation, lineOf } from "./exchange-line.js";
import { type RunFacts, runFiles } from "./format.js";
import { clientLine, identitiesLine, type ShownParts, type StateLine, sandboxLine } from "./state-lines.js";

/** The requests and the state have a tenth of the size in each of their files. */
const parts = 10;

/** How often the ends of connections are looked for, in milliseconds. A sandbox that is killed loses them. */
const lookInterval = 100;

/** What a run is kept with. */
export interface KeeperParts {
  readonly shown: ShownParts;
  /** For the judges; undefined if clients are not judged. */
  readonly observation: ObservationContext | undefined;
  /** How much is kept, in bytes. */
  readonly size: number;
  /** Is told once when nothing more can be written. */
  readonly warn: (sentence: string) => void;
}

/** The folder of a run that began at an instant: it is sorted by name, and no two runs have the same. */
export function folderOfRun(keep: string, begunAt: number): string {
  const time = new Date(begunAt).toISOString().slice(0, 19).replaceAll(":", "-");
  return join(keep, `${time}Z-${randomBytes(3).toString("hex")}`);
}

/**
 * Writes what happens in a run as it happens: each exchange when it is over, each failed handshake, and each change of
 * clients, clocks and scenarios. `docs/security.md` says what is in the files.
 */
export class RunKeeper implements TrafficListener {
  readonly #parts: KeeperParts;
  readonly #requests: RequestFiles;
  readonly #state: StateFile;
  readonly #key = randomBytes(32);
  /** The place in the journal of each exchange that is not over, by its number. */
  readonly #orders = new Map<number, number>();
  readonly #written = { requests: 0, handshakes: 0 };
  /** The line of each thing, as it was last written. */
  readonly #lines = new Map<string, string>();
  /** The texts of scenarios that were written, by name. */
  readonly #texts = new Map<string, string>();
  /** How often scenario and clocks of each client were changed, when its line was written. */
  readonly #epochs = new WeakMap<Client, number>();
  /** The connections of exchanges, whose ends are not known yet. */
  readonly #connections = new Set<ConnectionFacts>();
  #timer: NodeJS.Timeout | undefined;
  #lastOrder = 0;
  /** Whether nothing more is written: the sandbox has stopped, or the disk is full. */
  #isOver = false;

  /**
   * Makes the folder of a run. The one above it exists.
   * @throws the system's error if it cannot be written
   */
  constructor(
    readonly folder: string,
    given: KeeperParts,
  ) {
    this.#parts = given;
    mkdirSync(folder, { mode: 0o700 });
    const most = (given.size / parts) | 0;
    this.#requests = new RequestFiles(folder, most, () => lineOf({ before: this.#written }));
    this.#state = new StateFile(folder, most, () => this.#lines.values());
  }

  /** Writes what is known once the sandbox listens. */
  begin(facts: RunFacts): void {
    this.#write(() => {
      writeFileSync(join(this.folder, runFiles.facts), lineOf(facts), { mode: 0o600, flag: "wx" });
    });
    this.changed({});
  }

  /** All standing identities exist. */
  identitiesMade(): void {
    this.#put("identities", identitiesLine(this.#parts.shown));
  }

  answered(_exchange: Exchange, id: number): void {
    this.#lastOrder += 1;
    this.#orders.set(id, this.#lastOrder);
  }

  over(exchange: Exchange, id: number): void {
    const { client, fault, epoch, connection } = exchange;
    const order = this.#orders.get(id);
    this.#orders.delete(id);
    if (client !== undefined && this.#epochs.get(client) !== epoch) {
      this.#epochs.set(client, epoch);
      this.#putClient(client.id);
    }
    if (fault !== undefined) this.#putScenario(fault.key.scenario);
    const { observation } = this.#parts;
    this.#write(() => {
      const observed = observation && keptObservation(exchange, id, observation, this.#key);
      const line = lineOf({ request: id, order, exchange: keptExchange(exchange) });
      this.#requests.append(observed ? line + lineOf({ observed }) : line);
      this.#written.requests += 1;
    });
    if (connection === undefined || this.#isOver) return;
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#writeEnds(), lookInterval).unref();
  }

  handshake(record: HandshakeRecord, id: number): void {
    this.#lastOrder += 1;
    this.#write(() => {
      this.#requests.append(lineOf({ handshake: id, order: this.#lastOrder, record }));
      this.#written.handshakes += 1;
    });
  }

  /** The same exam, whose resets are kept. */
  following(exam: Exam): Pick<Exam, "report" | "reset"> {
    return {
      report: exam.report.bind(exam),
      reset: (client: string | undefined) => {
        exam.reset(client);
        this.#write(() => this.#requests.append(lineOf({ reset: exam.registrationOf(client) ?? null })));
      },
    };
  }

  /** The same store, whose changes are kept. */
  keeping(store: Store): Store {
    return {
      ...store,
      change: async (scope, work, files) => {
        try {
          return await store.change(scope, work, files);
        } finally {
          // What is thrown may say that the change is made.
          this.changed(scope);
        }
      },
    };
  }

  /** The state was changed. */
  changed({ client }: ChangeScope): void {
    const { shown } = this.#parts;
    this.#put("sandbox", sandboxLine(shown));
    const { name } = shown.scenarios.forAll;
    if (name !== undefined) this.#putScenario(name);
    if (client !== undefined) this.#putClient(client);
    else {
      const known = [...this.#lines.keys()].filter((name) => name.startsWith("client:")).map((name) => name.slice(7));
      for (const id of new Set([...known, ...shown.clients.all().map((each) => each.id)])) this.#putClient(id);
    }
  }

  /** Ends the run. */
  close(): void {
    clearInterval(this.#timer);
    this.#writeEnds();
    // A connection that was closed by force may tell so later.
    this.#isOver = true;
    this.#requests.close();
    this.#state.close();
  }

  /** How connections ended: it is known after their last exchange is over. */
  #writeEnds(): void {
    for (const connection of this.#connections) {
      // Then nobody writes to it any more.
      if (!Object.isFrozen(connection)) continue;
      this.#connections.delete(connection);
      const { id, end, goaway } = connection;
      this.#write(() => this.#requests.append(lineOf({ connection: id, end, goaway })));
    }
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #putClient(id: string): void {
    const { shown } = this.#parts;
    const active = shown.clients.get(id)?.scenario.active;
    if (active != null) this.#putScenario(active);
    this.#put(`client:${id}`, clientLine(id, shown));
  }

  #putScenario(name: string): void {
    const text = this.#parts.shown.scenarios.library.get(name)?.text;
    // Without it, a program gave the scenario as an object.
    if (text === undefined || this.#texts.get(name) === text) return;
    this.#texts.set(name, text);
    this.#put(`scenario:${name}`, { scenario: name, text });
  }

  /** Writes the line of a thing, unless it is the same as before. */
  #put(name: string, line: StateLine): void {
    this.#write(() => {
      const text = lineOf(line);
      if (this.#lines.get(name) === text) return;
      this.#lines.set(name, text);
      this.#state.append(text);
    });
  }

  /** The sandbox goes on if the disk is full. What was written stays. */
  #write(work: () => void): void {
    if (this.#isOver) return;
    try {
      work();
    } catch (error) {
      this.#isOver = true;
      const why = error instanceof Error ? error.message : String(error);
      this.#parts.warn(`Nothing more is kept in ${this.folder}: ${why}.`);
    }
  }
}
