import { monotonicNow } from "../clock.js";
import type { Passage } from "../connection/passage.js";
import type { Examiner } from "../exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation, TokenRequestObservation } from "../exam/observation.js";
import type { Report } from "../exam/report.js";
import type { Exchange } from "../journal/exchange.js";
import type { HandshakeRecord } from "../journal/journal.js";
import { type Changes, changesOf, withChanges } from "./changes.js";
import { keys } from "./keys.js";
import type { SharedLog } from "./log.js";

/** The exam of one sandbox, as far as replicas need it. */
export interface Exam {
  readonly examiner: Examiner;
  observe(exchange: Exchange, id: number, passage: Passage | undefined): ExchangeObservation | undefined;
  observeHandshake(record: HandshakeRecord, id: number): HandshakeObservation;
  present(client?: string): Report;
  settle(): Promise<void>;
  reset(client?: string): void;
  registrationOf(client: string | undefined): string | undefined;
}

/** What the judges of all replicas are fed: each with its place in the batch, as a negative number, or its number in the journal. */
export interface Observations {
  readonly exchanges: (readonly [place: number, observation: ExchangeObservation])[];
  readonly handshakes: readonly HandshakeObservation[];
}

/** More connections than a replica ever has: the ids of two replicas do not meet. */
const connections = 1e9;

/** Stands for all clients among the resets. */
const all = "*";

/** One exam of all replicas: each has judges of its own, which are fed what all of them saw. */
export class SharedExam {
  readonly #exam: Exam;
  readonly #log: SharedLog;
  /** Tells the connections of replicas apart. */
  readonly #replica: number;
  /** From the monotonic clock of this process to that of all replicas. */
  readonly #offset: number;
  /** By client: observations up to this number were reset. */
  #resets: ReadonlyMap<string, number> = new Map();
  #newResets: string[] = [];

  constructor(exam: Exam, log: SharedLog, replica: number) {
    this.#exam = exam;
    this.#log = log;
    this.#replica = replica;
    this.#offset = log.now() - monotonicNow();
  }

  /** In the times and ids of all replicas. */
  observe(exchange: Exchange, id: number, passage: Passage | undefined): ExchangeObservation | undefined {
    const observed = this.#exam.observe(exchange, id, passage);
    return (
      observed && {
        ...observed,
        connection: observed.connection + this.#replica * connections,
        begunAt: observed.begunAt + this.#offset,
        arrivedAt: observed.arrivedAt + this.#offset,
        releasedAt: observed.releasedAt + this.#offset,
        overAt: observed.overAt + this.#offset,
      }
    );
  }

  observeHandshake(record: HandshakeRecord): HandshakeObservation {
    return this.#exam.observeHandshake(record, 0);
  }

  /** @param numbers of the first exchange and handshake of the batch */
  feed(
    { exchanges, handshakes }: Observations,
    numbers: { readonly first: number; readonly firstHandshake: number },
  ): void {
    const { examiner } = this.#exam;
    for (const [place, observation] of exchanges) {
      const id = place > 0 ? place : numbers.first - place;
      if (!this.#isReset(observation.client, id)) examiner.exchange({ ...observation, id });
    }
    for (const [place, observation] of handshakes.entries())
      examiner.handshake({ ...observation, id: numbers.firstHandshake + place });
  }

  present(client?: string): Report {
    return this.#exam.present(client);
  }

  settle(): Promise<void> {
    return this.#exam.settle();
  }

  /** Forgets what is known: about a client, or about all of them. */
  reset(client?: string): void {
    this.#exam.reset(client);
    this.#newResets.push(this.#exam.registrationOf(client) ?? all);
  }

  /** Has replicas that join later know of the resets since it was called before. @param upTo number of the newest exchange */
  async keepResets(upTo: number): Promise<void> {
    const resets = this.#newResets.splice(0);
    if (resets.includes(all)) await this.#log.redis.send(["DEL", keys.examined]);
    if (resets.length > 0)
      await this.#log.redis.send(["HSET", keys.examined, ...resets.flatMap((client) => [client, String(upTo)])]);
  }

  /** Begins again, with the resets that Redis knows. */
  async restart(): Promise<void> {
    this.#exam.examiner.reset();
    this.#newResets = [];
    const known = (await this.#log.redis.send(["HGETALL", keys.examined])) as string[];
    const resets = new Map<string, number>();
    for (let index = 0; index < known.length; index += 2) resets.set(known[index] ?? "", Number(known[index + 1]));
    this.#resets = resets;
  }

  #isReset(client: string, id: number): boolean {
    return id <= (this.#resets.get(client) ?? 0) || id <= (this.#resets.get(all) ?? 0);
  }
}

/** As text: each observation after the one before it. */
export function observationText({ exchanges, handshakes }: Observations): string {
  let before: Written | undefined;
  const texts = exchanges.map(([place, observation]) => {
    const written = writtenForm(observation);
    const changes = changesOf(written, before);
    before = written;
    return [place, changes];
  });
  return JSON.stringify({ exchanges: texts, handshakes });
}

/** The observations in a text. */
export function observationsIn(text: string): Observations {
  const { exchanges, handshakes } = JSON.parse(text) as {
    exchanges: [number, Changes<Written>][];
    handshakes: HandshakeObservation[];
  };
  let before: Written | undefined;
  const observations = exchanges.map(([place, changes]): Observations["exchanges"][number] => {
    before = withChanges(changes, before);
    return [place, readForm(before)];
  });
  return { exchanges: observations, handshakes };
}

/** JSON has no maps. */
type Written = Omit<ExchangeObservation, "tokenRequest"> & {
  readonly tokenRequest: (Omit<TokenRequestObservation, "form"> & { readonly form: unknown }) | undefined;
};

function writtenForm(observation: ExchangeObservation): Written {
  const { tokenRequest } = observation;
  if (tokenRequest?.form === undefined) return observation;
  return { ...observation, tokenRequest: { ...tokenRequest, form: [...tokenRequest.form] } };
}

function readForm(written: Written): ExchangeObservation {
  const { tokenRequest } = written;
  if (tokenRequest?.form === undefined) return written as ExchangeObservation;
  const form = new Map(tokenRequest.form as [string, (string | null)[]][]);
  return { ...written, tokenRequest: { ...tokenRequest, form } };
}
