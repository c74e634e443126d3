import type { Check } from "./check.js";
import { type CheckId, checks } from "./checks.js";
import type { Finish } from "./conversation.js";
import { ExpectedErrors } from "./expected.js";
import { Finding } from "./finding.js";
import { Known } from "./known/known.js";
import { type Judging, largest, type Reference } from "./known/reference.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";
import type { CheckResult } from "./report.js";

/** How many clients are judged at a time, at most. */
const mostClients = 1000;

/** The state of one client. */
class ClientState {
  lastSeen = 0;
  readonly known = new Known();
  readonly expected = new ExpectedErrors();
  /** One of each check, in the order of the table. */
  readonly findings: readonly Finding[] = checks.map(() => new Finding());
  readonly states: readonly unknown[] = checks.map(({ begin }) => begin?.());

  exchange(observed: ExchangeObservation): void {
    this.known.before(observed);
    this.#judge((check, judged) => check.exchange?.(observed, judged));
    this.known.after(observed);
  }

  handshake(observed: HandshakeObservation): void {
    this.#judge((check, judged) => check.handshake?.(observed, judged));
  }

  conclude(finish: Finish): readonly Finding[] {
    return this.#judge((check, judged) => check.conclude?.(judged, finish) ?? judged.finding);
  }

  giveUp(): void {
    this.known.walks.giveUp();
    this.#judge((check, { state }) => check.giveUp?.(state));
  }

  #judge<T>(judge: (check: Check, judged: { finding: Finding; state: unknown; known: Known }) => T): readonly T[] {
    const { known, findings, states } = this;
    return checks.map((check, index) =>
      judge(check, { finding: findings[index] as Finding, state: states[index], known }),
    );
  }
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
  #forgotten: readonly Finding[] = nothingFound();
  #forgottenErrors = new ExpectedErrors();
  #count = 0;

  constructor(private readonly most = mostClients) {}

  /** How clients are judged from now on. */
  judging: Judging = {};

  /** What the clients did, if they met no fault: a reference for other runs of the same command. */
  reference(): Reference {
    return largest([...this.#clients.values()].map(({ known }) => known.reference()));
  }

  /** An exchange is over. */
  exchange(observed: ExchangeObservation): void {
    const state = this.#stateOf(observed.client);
    if (observed.expected === undefined) {
      state.exchange(observed);
      return;
    }
    // The checks have to know of it: a token that was refused, for example, is not used again.
    for (const finding of state.findings) finding.isSpared = true;
    state.exchange(observed);
    for (const finding of state.findings) finding.isSpared = false;
    state.expected.add(observed.expected, observed.id);
  }

  /** A handshake failed, or a connection was closed without a request. */
  handshake(observed: HandshakeObservation): void {
    this.#stateOf(observed.client).handshake(observed);
  }

  /**
   * The results of all checks, for one client or for all, in the order of the table.
   * @param finish how the clients say that they have finished their work
   */
  results(client?: string, finish?: Finish): readonly CheckResult[] {
    const only = client === undefined ? undefined : this.#clients.get(client);
    const found = client === undefined ? this.#all(finish) : (only?.conclude(finish) ?? nothingFound());
    return checks.map((check, index) => resultOf(check, found[index] as Finding));
  }

  /** The errors that one client, or all, provoked on purpose. */
  expected(client?: string): ExpectedErrors {
    const found = new ExpectedErrors();
    if (client === undefined) found.addAll(this.#forgottenErrors);
    for (const [id, { expected }] of this.#clients) if (client === undefined || id === client) found.addAll(expected);
    return found;
  }

  /** Drops what only later requests of the clients could decide, because none will come. */
  giveUp(): void {
    for (const state of this.#clients.values()) state.giveUp();
  }

  /** Forgets everything about one client, or about all. */
  reset(client?: string): void {
    if (client !== undefined) {
      this.#clients.delete(client);
      return;
    }
    this.#clients.clear();
    this.#forgotten = nothingFound();
    this.#forgottenErrors = new ExpectedErrors();
  }

  /**
   * How many clients are judged now.
   * @internal exported for the test that clients are forgotten, which no report shows
   */
  get size(): number {
    return this.#clients.size;
  }

  #all(finish: Finish): readonly Finding[] {
    const found = this.#forgotten.map((finding) => finding.copy());
    for (const state of this.#clients.values()) addAll(found, state.conclude(finish));
    return found;
  }

  #stateOf(client: string): ClientState {
    let state = this.#clients.get(client);
    if (state === undefined) {
      if (this.#clients.size >= this.most) this.#forgetQuiet();
      state = new ClientState();
      this.#clients.set(client, state);
    }
    state.known.judging = this.judging;
    this.#count += 1;
    state.lastSeen = this.#count;
    return state;
  }

  /** Forgets a tenth at once: finding the single client that was idle the longest takes just as long. */
  #forgetQuiet(): void {
    const byAge = [...this.#clients].sort(([, a], [, b]) => a.lastSeen - b.lastSeen);
    for (const [client, state] of byAge.slice(0, Math.ceil(this.most / 10))) {
      state.giveUp();
      addAll(this.#forgotten, state.conclude(undefined));
      this.#forgottenErrors.addAll(state.expected);
      this.#clients.delete(client);
    }
  }
}

function nothingFound(): readonly Finding[] {
  return checks.map(() => new Finding());
}

/** Adds findings to those about the same checks. */
function addAll(found: readonly Finding[], others: readonly Finding[]): void {
  for (const [index, other] of others.entries()) found[index]?.add(other);
}

/** What the report says about a check. */
function resultOf(check: Check<CheckId>, finding: Finding): CheckResult {
  const { id, level, fix, source, exercisedBy } = check;
  const { failure, doubt, exercises, remark } = finding;
  const facts = { id, level, fix, source };
  const failed = failure ?? doubt;
  if (failed !== undefined) {
    const ids = { exchanges: texts(failed.exchanges), handshakes: texts(failed.handshakes) };
    const { message, fix: exact = fix } = failed;
    return { ...facts, ...ids, level: failure ? level : "should", verdict: "fail", message, fix: exact };
  }
  const ids = { exchanges: texts(exercises), handshakes: texts(finding.handshakes) };
  if (exercises.length === 0 && finding.handshakes.length === 0)
    return { ...facts, ...ids, verdict: "not-exercised", message: `Not exercised: it takes ${exercisedBy}.` };
  return { ...facts, ...ids, verdict: "pass", message: remark ?? `Exercised by ${exercisedBy}.` };
}

function texts(ids: readonly number[]): readonly string[] {
  return [...ids].sort((a, b) => a - b).map(String);
}
