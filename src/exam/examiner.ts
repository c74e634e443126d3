import { deserialize, serialize } from "node:v8";
import { AccessJudge } from "./access-judge.js";
import { CertificateJudge } from "./certificate-judge.js";
import { type CheckId, checkIds } from "./checks.js";
import { ExpectedErrors } from "./expected.js";
import { Finding } from "./finding.js";
import { Http2Judge } from "./http2-judge.js";
import type { Judge } from "./judge.js";
import { ListJudge } from "./list-judge.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";
import { RecoveryJudge } from "./recovery-judge.js";
import type { CheckResult } from "./report.js";
import { RequestJudge } from "./request-judge.js";
import { RetryJudge } from "./retry-judge.js";
import { Sending } from "./sending.js";
import { TlsJudge } from "./tls-judge.js";
import { TokenJudge } from "./token-judge.js";
import { WalkJudge } from "./walk-judge.js";

/** How many clients are judged at a time, at most. */
const mostClients = 1000;

/** The state of one client. */
class ClientState {
  lastSeen = 0;
  readonly sending = new Sending();
  readonly expected = new ExpectedErrors();
  readonly judges: readonly Judge[] = [
    new TokenJudge(),
    new AccessJudge(),
    new TlsJudge(),
    new RetryJudge(),
    new RecoveryJudge(),
    new ListJudge(),
    new WalkJudge(),
    new RequestJudge(),
    new Http2Judge(),
    new CertificateJudge(),
  ];

  judge(observed: ExchangeObservation): void {
    const sent = this.sending.sent(observed);
    for (const judge of this.judges) judge.exchange(observed, sent);
  }

  findings(isFinished = false): readonly Finding[] {
    return this.judges.flatMap((judge) => judge.findings(isFinished));
  }
}

/** The examiner as plain data: objects with the fields of each class. */
interface Saved {
  readonly clients: ReadonlyMap<string, ClientState>;
  readonly forgotten: ReadonlyMap<CheckId, Finding>;
  readonly forgottenErrors: ExpectedErrors;
  readonly count: number;
}

/**
 * Judges clients by the observations that it gets.
 *
 * If there are too many clients, those that were idle the longest are forgotten. Their findings stay in the report on
 * all clients, and their next requests are judged as those of a new client.
 */
export class Examiner {
  readonly #clients = new Map<string, ClientState>();
  /** The findings about forgotten clients. */
  #forgotten = new Map<CheckId, Finding>();
  #forgottenErrors = new ExpectedErrors();
  #count = 0;

  constructor(private readonly most = mostClients) {}

  /** An exchange is over. */
  exchange(observed: ExchangeObservation): void {
    const state = this.#stateOf(observed.client);
    if (observed.expected === undefined) {
      state.judge(observed);
      return;
    }
    // The judges have to know of it: a token that was refused, for example, is not used again.
    const findings = state.findings();
    for (const finding of findings) finding.isSpared = true;
    state.judge(observed);
    for (const finding of findings) finding.isSpared = false;
    state.expected.add(observed.expected, observed.id);
  }

  /** A handshake failed, or a connection was closed without a request. */
  handshake(observed: HandshakeObservation): void {
    for (const judge of this.#stateOf(observed.client).judges) judge.handshake?.(observed);
  }

  /**
   * The results of all checks, for one client or for all, in the order of the table.
   * @param isFinished whether the clients say that they have finished their work
   */
  results(client?: string, isFinished = false): readonly CheckResult[] {
    const found =
      client === undefined ? this.#all(isFinished) : collect(this.#clients.get(client)?.findings(isFinished) ?? []);
    return checkIds.map((id) => (found.get(id) ?? new Finding(id)).result());
  }

  /** The errors that one client, or all, provoked on purpose. */
  expected(client?: string): ExpectedErrors {
    const found = new ExpectedErrors();
    if (client === undefined) found.addAll(this.#forgottenErrors);
    for (const [id, { expected }] of this.#clients) if (client === undefined || id === client) found.addAll(expected);
    return found;
  }

  /** Forgets everything about one client, or about all. */
  reset(client?: string): void {
    if (client !== undefined) {
      this.#clients.delete(client);
      return;
    }
    this.#clients.clear();
    this.#forgotten = new Map();
    this.#forgottenErrors = new ExpectedErrors();
  }

  /** The whole state, or that of one client, for `restore`. */
  save(client?: string): Buffer {
    const only = client === undefined ? undefined : this.#clients.get(client);
    const clients = client === undefined ? this.#clients : new Map(only && [[client, only]]);
    const saved = { clients, forgotten: this.#forgotten, forgottenErrors: this.#forgottenErrors, count: this.#count };
    return serialize(saved satisfies Saved);
  }

  /**
   * Continues from a saved state.
   * @throws Error if no examiner of this release has saved it
   */
  restore(data: Uint8Array): this {
    const { clients, forgotten, forgottenErrors, count } = deserialize(data) as Saved;
    this.reset();
    for (const [client, saved] of clients) this.#clients.set(client, fill(new ClientState(), saved));
    for (const [id, saved] of forgotten) this.#forgotten.set(id, fill(new Finding(id), saved));
    fill(this.#forgottenErrors, forgottenErrors);
    this.#count = count;
    return this;
  }

  /** Another one with the same state: all of it, or that of one client. */
  copy(client?: string): Examiner {
    return new Examiner(this.most).restore(this.save(client));
  }

  /**
   * How many clients are judged now.
   * @internal exported for the test that clients are forgotten, which no report shows
   */
  get size(): number {
    return this.#clients.size;
  }

  #all(isFinished: boolean): Map<CheckId, Finding> {
    const found = collect(this.#forgotten.values());
    for (const state of this.#clients.values()) collect(state.findings(isFinished), found);
    return found;
  }

  #stateOf(client: string): ClientState {
    let state = this.#clients.get(client);
    if (state === undefined) {
      if (this.#clients.size >= this.most) this.#forgetQuiet();
      state = new ClientState();
      this.#clients.set(client, state);
    }
    this.#count += 1;
    state.lastSeen = this.#count;
    return state;
  }

  /** Forgets a tenth at once: finding the single client that was idle the longest takes just as long. */
  #forgetQuiet(): void {
    const byAge = [...this.#clients].sort(([, a], [, b]) => a.lastSeen - b.lastSeen);
    for (const [client, state] of byAge.slice(0, Math.ceil(this.most / 10))) {
      for (const judge of state.judges) judge.giveUp?.();
      collect(state.findings(), this.#forgotten);
      this.#forgottenErrors.addAll(state.expected);
      this.#clients.delete(client);
    }
  }
}

/** Gives an object the fields that were saved. Its parts that are of a class keep it, and get theirs. */
function fill<T extends object>(target: T, saved: object): T {
  for (const [name, value] of Object.entries(saved)) {
    const part: unknown = Reflect.get(target, name);
    if (isOfClass(part)) fill(part, value);
    else Reflect.set(target, name, value);
  }
  return target;
}

function isOfClass(value: unknown): value is object {
  if (Array.isArray(value)) return value.some(isOfClass);
  return value instanceof Object && ![Object, Array, Map, Set].some((plain) => value.constructor === plain);
}

/** Joins findings about the same check. */
function collect(findings: Iterable<Finding>, into: Map<CheckId, Finding> = new Map()): Map<CheckId, Finding> {
  for (const finding of findings) {
    let joined = into.get(finding.id);
    if (joined === undefined) {
      joined = new Finding(finding.id);
      into.set(finding.id, joined);
    }
    joined.add(finding);
  }
  return into;
}
