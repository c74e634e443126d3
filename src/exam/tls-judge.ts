import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";

/** How many requests are needed to decide whether a client reuses connections. */
const enoughRequests = 5;

/** The sandbox may close a connection that was idle for longer at any moment, in milliseconds. */
const longestIdle = 60_000;

/** The ends of a handshake in which the client saw the server certificate and refused it. */
const turnedAway = new Set(["client-refused-our-certificate", "closed-by-client", "no-request"]);

const modern = "TLSv1.3";

/** Checks `tls.*`: how a client uses connections. */
export class TlsJudge implements Judge {
  readonly #serverCertificate = new Finding("tls.server-certificate");
  readonly #encrypted = new Finding("tls.encrypted");
  readonly #firstRequests: number[] = [];
  #modern = false;
  /** Requests after which the sandbox kept the connection open. */
  #kept = 0;
  /** The first requests that opened a connection although the previous one was open and idle. */
  readonly #wasteful: number[] = [];
  #reuse: number | undefined;
  /** The exchange that ended last and left its connection open. */
  #idle: { readonly id: number; readonly releasedAt: number; readonly thumbprint: string | undefined } | undefined;

  exchange(observed: ExchangeObservation): void {
    const { id, protocol, serverDefect } = observed;
    if (protocol === modern) this.#modern = true;
    if (this.#firstRequests.length < enoughRequests) this.#firstRequests.push(id);
    this.#encrypted.exercise(id);
    if (serverDefect !== undefined)
      this.#serverCertificate.fail(
        `A request was sent on a connection whose server certificate was defective on purpose (${serverDefect}).`,
        [id],
      );
    this.#judgeReuse(observed);
  }

  handshake({ id, cause, protocol, serverDefect }: HandshakeObservation): void {
    if (cause === "plain-http") {
      this.#encrypted.fail("Plain HTTP was sent to the port that speaks HTTPS.", [], [id]);
      return;
    }
    if (protocol === modern) this.#modern = true;
    this.#encrypted.exerciseByHandshake(id);
    if (serverDefect !== undefined && turnedAway.has(cause)) this.#serverCertificate.exerciseByHandshake(id);
  }

  findings(): readonly Finding[] {
    return [this.#serverCertificate, this.#encrypted, this.#version(), this.#connections()];
  }

  #judgeReuse({ id, ordinal, keptOpen, begunAt, arrivedAt, releasedAt, thumbprint }: ExchangeObservation): void {
    if (ordinal > 1) this.#reuse ??= id;
    else if (this.#wasteful.length < enoughRequests && this.#idle !== undefined) {
      const { releasedAt: idleSince, thumbprint: owner } = this.#idle;
      // Parallel requests need separate connections, and so do different certificates.
      if (owner === thumbprint && begunAt > idleSince && arrivedAt - idleSince < longestIdle) {
        if (this.#wasteful.length === 0) this.#wasteful.push(this.#idle.id);
        this.#wasteful.push(id);
      }
    }
    if (!keptOpen) return;
    this.#kept += 1;
    this.#idle = { id, releasedAt, thumbprint };
  }

  #version(): Finding {
    const finding = new Finding("tls.version");
    const [first] = this.#firstRequests;
    if (first === undefined) return finding;
    if (this.#modern) finding.exercise(first);
    else finding.fail("No connection had TLS 1.3.", this.#firstRequests);
    return finding;
  }

  #connections(): Finding {
    const finding = new Finding("tls.reuse");
    if (this.#reuse !== undefined) {
      if (this.#kept >= enoughRequests) finding.exercise(this.#reuse);
    } else if (this.#wasteful.length >= enoughRequests) {
      finding.fail(
        "Each request came on its own connection, while the previous connection was open and idle.",
        this.#wasteful,
      );
    }
    return finding;
  }
}
