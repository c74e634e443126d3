import { defectFacts, type ServerDefect } from "../sandbox/connection/server-defect.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";

/** How many requests are needed to decide whether a client reuses connections. */
const enoughRequests = 5;

/**
 * A request that begins later after the end of the one before, in milliseconds, does not count: pools close connections
 * that were idle for a few seconds, some after two.
 */
const closely = 1000;

/** If reuses and new connections alternate, this many new ones are a failure when they are the greater part. */
const manyWasteful = 8;

/** The causes of handshakes in which the client saw the server certificate and refused it, if the client ended them. */
const turnedAway = new Set(["client-refused-our-certificate", "closed-by-client", "no-request"]);

/**
 * Whether a client turned away after it had seen the server certificate. Programs that judge it themselves end the
 * handshake with an alert that does not name the certificate, such as `internal_error`.
 */
function hasTurnedAway({ cause, alert, endedByServer }: HandshakeObservation): boolean {
  return !endedByServer && (turnedAway.has(cause) || (cause === "other" && alert !== undefined));
}

const modern = "TLSv1.3";

/** A defect that some clients accept by default says nothing about this one. */
function isJudged(defect: ServerDefect | undefined): boolean {
  return defect !== undefined && defectFacts(defect).acceptedBy === undefined;
}

/** Checks `tls.*`: how a client uses connections. */
export class TlsJudge implements Judge {
  private readonly serverCertificate = new Finding("tls.server-certificate");
  private readonly encrypted = new Finding("tls.encrypted");
  private readonly firstRequests: number[] = [];
  private modern = false;
  /** Requests after which the sandbox kept the connection open. */
  private kept = 0;
  private readonly reuse = new Finding("tls.reuse");
  /** The newest requests in a row that opened a connection although the one before was open and idle. */
  private wasteful: readonly number[] = [];
  private allWasteful = 0;
  private reused = 0;
  /** The exchange that ended last, if it left its connection open. */
  private idle: Pick<ExchangeObservation, "id" | "connection" | "releasedAt" | "thumbprint"> | undefined;

  exchange(observed: ExchangeObservation): void {
    const { id, protocol, serverDefect } = observed;
    if (protocol === modern) this.modern = true;
    if (this.firstRequests.length < enoughRequests) this.firstRequests.push(id);
    this.encrypted.exercise(id);
    if (isJudged(serverDefect))
      this.serverCertificate.fail(
        `A request was sent on a connection whose server certificate was defective on purpose (${serverDefect}).`,
        [id],
      );
    this.#judgeReuse(observed);
  }

  handshake(observed: HandshakeObservation): void {
    const { id, cause, protocol, serverDefect } = observed;
    if (cause === "plain-http") {
      this.encrypted.fail("Plain HTTP was sent to the port that speaks HTTPS.", [], [id]);
      return;
    }
    if (protocol === modern) this.modern = true;
    this.encrypted.exerciseByHandshake(id);
    if (isJudged(serverDefect) && hasTurnedAway(observed)) this.serverCertificate.exerciseByHandshake(id);
  }

  findings(): readonly Finding[] {
    return [this.serverCertificate, this.encrypted, this.#version(), this.reuse];
  }

  #judgeReuse(observed: ExchangeObservation): void {
    const { id, connection, ordinal, keptOpen, releasedAt, thumbprint } = observed;
    if (ordinal > 1) {
      this.wasteful = [];
      this.reused += 1;
      if (this.kept >= enoughRequests - 1) this.reuse.exercise(id);
    } else if (this.idle !== undefined && isWasteful(observed, this.idle)) {
      this.wasteful = [...(this.wasteful.length === 0 ? [this.idle.id] : this.wasteful), id].slice(-enoughRequests);
      this.allWasteful += 1;
      const isMost = this.allWasteful >= manyWasteful && this.allWasteful > this.reused;
      if (this.wasteful.length >= enoughRequests || isMost)
        this.reuse.fail(
          "Request after request came on its own connection, while the previous connection was open and idle.",
          this.wasteful,
        );
    }
    if (keptOpen) {
      this.kept += 1;
      this.idle = { id, connection, releasedAt, thumbprint };
    } else if (this.idle?.connection === connection) this.idle = undefined;
  }

  #version(): Finding {
    const finding = new Finding("tls.version");
    const [first] = this.firstRequests;
    if (first === undefined) return finding;
    if (this.modern) finding.exercise(first);
    else finding.fail("No connection had TLS 1.3.", this.firstRequests);
    return finding;
  }
}

/** Parallel requests need separate connections, and so do different certificates. */
function isWasteful(
  { begunAt, thumbprint }: ExchangeObservation,
  idle: Pick<ExchangeObservation, "releasedAt" | "thumbprint">,
): boolean {
  return idle.thumbprint === thumbprint && begunAt > idle.releasedAt && begunAt - idle.releasedAt < closely;
}
