import type { DeliveryListener } from "../connection/passage.js";
import { readHeader } from "../connection/raw-headers.js";
import type { ActingRule } from "../scenarios/engine.js";
import type {
  CertificateRenewal,
  FaultyPage,
  FaultyRequest,
  GivenAnswer,
  GivenError,
  GivenFault,
  IssuedToken,
  PageRequest,
} from "../scenarios/fault.js";
import { faultHandle } from "../scenarios/fault-handle.js";
import { issueToOtherWorker, revokeToken } from "./access.js";
import { changeClient } from "./change-client.js";
import { InjectedAnswer } from "./injected-answer.js";
import { injectedRefusal, placeOf, retryAfterHeader } from "./injection.js";
import type { AnswerFaults, Call } from "./service.js";

/** A request on which a rule acts: what the faults of the rule can do with it, and where they are called. */
export class FaultyCall implements FaultyRequest, AnswerFaults {
  readonly #call: Call;
  readonly #acting: ActingRule;
  #onceOver: (() => void) | undefined;
  /** Whether the body of the answer is sent without its length. */
  isChunked = false;

  constructor(call: Call, acting: ActingRule) {
    this.#call = call;
    this.#acting = acting;
  }

  /** The faults of the rule that act at a place, in their order. */
  with(hook: keyof GivenFault["fault"]): readonly GivenFault[] {
    return this.#acting.rule.faults.filter(({ fault }) => fault[hook] !== undefined);
  }

  /**
   * The request has arrived.
   * @returns a function that refuses it when its turn comes; undefined to go on
   */
  async arrives(): Promise<(() => never) | undefined> {
    let refuse: (() => never) | undefined;
    for (const { fault, settings } of this.with("onArrival")) refuse ??= await fault.onArrival?.(settings, this);
    return refuse;
  }

  /** How long the request is held back, in milliseconds; undefined if it is not. */
  get delay(): number | undefined {
    const [given] = this.with("delay");
    return given?.fault.delay?.(given.settings, this.key);
  }

  /** Whether a fault acts on the connection, or sends the answer. */
  get actsOnWire(): boolean {
    return this.with("onConnection").length + this.with("onSend").length > 0;
  }

  get key() {
    return this.#acting.key;
  }

  get counter() {
    return this.#acting.counter;
  }

  get now(): number {
    const { service, exchange } = this.#call;
    return this.#acting.rule.share === "all" ? service.clock.now() : exchange.now;
  }

  get otherUrl(): string {
    const { exchange } = this.#call;
    const host = readHeader(exchange.rawHeaders, "host") ?? readHeader(exchange.rawHeaders, ":authority");
    const [, name = "", port = ""] = (typeof host === "string" && /^(.*?)(:\d+)?$/.exec(host)) || [];
    return `https://${name.toLowerCase() === "localhost" ? "127.0.0.1" : "localhost"}${port}${exchange.target}`;
  }

  acts(): void {
    this.#call.exchange.markInjected(faultHandle(this.key));
  }

  async advanceClock(by: number): Promise<boolean> {
    const { exchange, service } = this.#call;
    const { client } = exchange;
    if (!client) return false;
    await changeClient(service, client, (present) => present.clock.advance(by));
    exchange.clockMoved(client.clock.now());
    return true;
  }

  async renewCertificate(renewal: CertificateRenewal): Promise<boolean> {
    const { exchange, service, bindings } = this.#call;
    if (!exchange.client || !service.certificates) return false;
    await service.certificates.renew(exchange.client, renewal);
    this.#call.hasRenewed = true;
    bindings.wire?.().goAway("NO_ERROR", "this");
    return true;
  }

  async endCertificate(how: "expired" | "revoked"): Promise<boolean> {
    const { exchange, service } = this.#call;
    const { client, peer } = exchange;
    if (!client || !service.certificates || peer.kind === "none") return false;
    await service.certificates.end(client, peer.certificate.thumbprint, how);
    // Milliseconds may have passed since the request came: it is judged by the present time.
    exchange.clockMoved(client.clock.now());
    return true;
  }

  async isAccepted(): Promise<boolean> {
    const { operation } = this.#call;
    try {
      for (const step of operation.steps.slice(0, placeOf(operation))) await step.run(this.#call);
      return true;
    } catch {
      // The steps report the refusal when they run.
      return false;
    }
  }

  onceOver(callback: () => void): void {
    this.#onceOver = callback;
    const { exchange, bindings } = this.#call;
    // The connection may have ended meanwhile, and would not report that again.
    if (exchange.delivered !== undefined) this.isOver();
    const listener: Required<DeliveryListener> = {
      replaced: () => exchange.replaced(),
      headed: (headers) => exchange.headed(headers),
      closed: (delivered, passage) => {
        this.isOver();
        exchange.closed(delivered, passage);
      },
    };
    bindings.track?.(listener);
  }

  /** The answer has left, or its connection is gone. */
  isOver(): void {
    this.#onceOver?.();
    this.#onceOver = undefined;
  }

  revokeToken(): Promise<never> {
    return revokeToken(this.#call);
  }

  issueToOtherWorker(): Promise<never> {
    return issueToOtherWorker(this.#call);
  }

  refuse(error: GivenError): never {
    throw injectedRefusal(this.#call, error);
  }

  answer({ status, headers, retryAfter, body, chunked }: GivenAnswer): never {
    this.isChunked = chunked;
    throw new InjectedAnswer(status, { ...headers, ...retryAfterHeader(this.#call, retryAfter) }, body);
  }

  issue(token: IssuedToken): IssuedToken {
    return this.with("onToken").reduce((issued, { fault, settings }) => {
      this.acts();
      return fault.onToken?.(settings, issued) ?? issued;
    }, token);
  }

  page(request: PageRequest): FaultyPage | undefined {
    const [given] = this.with("onPage");
    const made = given?.fault.onPage?.(given.settings, request);
    if (made?.acted) this.acts();
    return made;
  }
}
