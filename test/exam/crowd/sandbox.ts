import type { Random } from "../../fuzz/random.js";
import type { Fault, Rule, Weather } from "./faults.js";
import type { ReadAnswer, SentRequest } from "./messages.js";
import type { World } from "./world.js";

interface Issued {
  readonly thumbprint: string;
  readonly expiresAt: number;
  isRevoked: boolean;
}

/** What a cursor holds. */
interface Place {
  readonly walk: string;
  /** Ordinal of the row at which the page begins. */
  readonly position: number;
  readonly page: number;
  readonly issuedAt: number;
}

/** A certificate of the client. */
interface Certificate {
  readonly thumbprint: string;
  readonly replaces: boolean;
  /** When it ends because another one replaces it. */
  end: { readonly at: number; readonly overlap: number } | undefined;
}

/** What the sandbox does with a request. */
export interface Plan {
  /** The answer, also of a request whose connection is broken: then it may be sent in part, or not at all. */
  readonly answer: ReadAnswer;
  /** Why the sandbox itself refuses the request. */
  readonly refusal: { readonly code: string; readonly kind: string } | undefined;
  /** Whether a fault acted. */
  readonly injected: boolean;
  readonly wire: "close" | "reset" | "truncate" | "hang" | "stream-reset" | "refused" | "goaway-before" | undefined;
  /** Whether the answer is the last one of its connection. */
  readonly isLast: boolean;
  readonly delay: number;
  readonly hasEnded: boolean;
  readonly hasOverlapEnded: boolean;
  readonly understood: boolean;
  readonly place: string | undefined;
  readonly aged: number | undefined;
}

/** The answer of an operation, or of a fault instead of it. */
interface Made {
  readonly answer: ReadAnswer;
  readonly refusal?: Plan["refusal"];
  readonly injected?: boolean;
  readonly place?: string;
  readonly aged?: number | undefined;
}

type Access = Pick<Plan, "refusal" | "hasEnded" | "hasOverlapEnded"> & { readonly answer: ReadAnswer | undefined };

const granted: Access = { answer: undefined, refusal: undefined, hasEnded: false, hasOverlapEnded: false };

/** What acts on the connection and not on the answer. */
const wireKinds = new Set(["close", "reset", "truncate", "hang", "stream-reset", "refused", "goaway-before"]);

/** The service of the simulated sandbox: its answers, its faults, and its state. */
export class SimulatedService {
  readonly #issued = new Map<string, Issued>();
  readonly #cursors = new Map<string, Place>();
  readonly #counts = new Map<Rule, { matched: number; acted: number }>();
  #certificates: readonly Certificate[] = [{ thumbprint: "certificate 1", replaces: false, end: undefined }];
  #number = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    readonly weather: Weather,
    /** The number of rows of every list. */
    private readonly rows: number,
  ) {}

  /** What the files of the client have now. */
  get newestCertificate(): string {
    return (this.#certificates.at(-1) as Certificate).thumbprint;
  }

  replaces(thumbprint: string): boolean {
    return this.#certificates.find((each) => each.thumbprint === thumbprint)?.replaces === true;
  }

  /** A new certificate replaces the newest one. */
  renew(overlap: number): void {
    const newest = this.#certificates.at(-1) as Certificate;
    newest.end = { at: this.world.now + overlap, overlap };
    const thumbprint = `certificate ${this.#certificates.length + 1}`;
    this.#certificates = [...this.#certificates, { thumbprint, replaces: true, end: undefined }];
  }

  /** A request has arrived. */
  plan(request: SentRequest, thumbprint: string): Plan {
    const acting = this.#actingRule(request);
    const fault = acting?.fault;
    const isRenewal = fault?.kind === "renew";
    const access = this.#access(request, thumbprint);
    if (isRenewal) this.renew(fault.overlap);
    const wire = fault !== undefined && wireKinds.has(fault.kind) ? (fault.kind as Plan["wire"]) : undefined;
    const delay = fault?.kind === "delay" ? fault.duration : 0;
    const isLast = isRenewal || fault?.kind === "goaway";
    const alwaysActs = wire !== undefined || delay > 0 || isLast;
    const isRefused = access.answer !== undefined && !(fault?.kind === "error" && request.operation === "token");
    if (isRefused && acting !== undefined && !alwaysActs) this.#giveBack(acting);
    const made: Made = isRefused
      ? { answer: access.answer as ReadAnswer, refusal: access.refusal }
      : this.#answer(request, thumbprint, fault);
    return {
      answer: made.answer,
      refusal: made.refusal,
      injected: alwaysActs || made.injected === true,
      wire,
      isLast,
      delay,
      hasEnded: access.hasEnded,
      hasOverlapEnded: access.hasOverlapEnded,
      understood: made.place !== undefined,
      place: made.place,
      aged: made.aged,
    };
  }

  #actingRule(request: SentRequest): Rule | undefined {
    for (const rule of this.weather.rules) {
      if (rule.operation !== undefined && rule.operation !== request.operation) continue;
      if (rule.page !== undefined && this.#pageOf(request) !== rule.page) continue;
      if (!this.#isFor(rule.fault, request)) continue;
      const count = this.#counts.get(rule) ?? { matched: 0, acted: 0 };
      this.#counts.set(rule, count);
      count.matched += 1;
      if (count.matched <= rule.after || count.acted >= rule.limit) continue;
      if (rule.likelihood < 1 && !this.random.chance(rule.likelihood)) continue;
      count.acted += 1;
      return rule;
    }
    return undefined;
  }

  #giveBack(rule: Rule): void {
    const count = this.#counts.get(rule);
    if (count !== undefined) count.acted -= 1;
  }

  #isFor({ kind }: Fault, { operation }: SentRequest): boolean {
    if (kind === "revoke") return operation !== "token";
    return kind !== "empty-page" || operation === "list";
  }

  #pageOf({ walk }: SentRequest): number | undefined {
    if (walk === undefined) return undefined;
    return walk.cursor === undefined ? 1 : this.#cursors.get(walk.cursor)?.page;
  }

  /** The certificate of the connection, and the token that is bound to it. */
  #access({ operation, token }: SentRequest, thumbprint: string): Access {
    const { now } = this.world;
    const end = this.#certificates.find((each) => each.thumbprint === thumbprint)?.end;
    const hasEnded = end !== undefined && now >= end.at;
    const ended = { hasEnded, hasOverlapEnded: hasEnded && end.overlap > 0 };
    if (operation === "token") {
      return hasEnded ? { ...refused(400, "INVALID_CLIENT", "certificate-ended"), ...ended } : granted;
    }
    const issued = token === undefined ? undefined : this.#issued.get(token);
    if (issued === undefined) return refused(401, "UNAUTHORIZED", "token-missing", token !== undefined);
    const unauthorized = (kind: string) => refused(401, "UNAUTHORIZED", kind, true);
    if (issued.thumbprint !== thumbprint) return unauthorized("token-of-another-certificate");
    if (now >= issued.expiresAt) return unauthorized("token-expired");
    if (issued.isRevoked) return unauthorized("token-revoked");
    return hasEnded ? { ...unauthorized("certificate-ended"), ...ended } : granted;
  }

  #answer(request: SentRequest, thumbprint: string, fault: Fault | undefined): Made {
    if (fault?.kind === "error") {
      const { status, code, retryAfter } = fault;
      const invalidToken = status === 401 && request.operation !== "token";
      return { answer: { status, code, retryAfter, invalidToken }, injected: true };
    }
    if (fault?.kind === "revoke") {
      const issued = this.#issued.get(request.token ?? "");
      if (issued !== undefined) issued.isRevoked = true;
      const answer = { status: 401, code: "UNAUTHORIZED", invalidToken: true };
      return { answer, refusal: { code: "UNAUTHORIZED", kind: "token-revoked" }, injected: true };
    }
    if (fault?.kind === "redirect") return { answer: { status: 307, redirectsTo: "elsewhere" }, injected: true };
    if (fault?.kind === "other-body") return { answer: { status: 200, isOther: true }, injected: true };
    if (request.operation === "token") return this.#issue(thumbprint, fault);
    if (request.asksForError) {
      const code = "EXAMPLE_ERROR";
      return { answer: { status: 400, code }, refusal: { code, kind: "requested" } };
    }
    return request.walk === undefined ? { answer: { status: 200 } } : this.#page(request.walk, fault);
  }

  #issue(thumbprint: string, fault: Fault | undefined): Made {
    const { tokenLifetime } = this.weather;
    this.#number += 1;
    const token = `token ${this.#number}`;
    const lifetime = fault?.kind === "expires-early" ? fault.lifetime : tokenLifetime;
    const bound = fault?.kind === "other-certificate" ? "none" : thumbprint;
    this.#issued.set(token, { thumbprint: bound, expiresAt: this.world.now + lifetime, isRevoked: false });
    const type = fault?.kind === "token-type" ? fault.type : "bearer";
    const acted = ["expires-early", "other-certificate", "token-type"].includes(fault?.kind ?? "");
    return {
      answer: { status: 200, issued: { token, type, lifetime: tokenLifetime } },
      ...(acted && { injected: true }),
    };
  }

  #page({ name, pageSize, cursor }: NonNullable<SentRequest["walk"]>, fault: Fault | undefined): Made {
    const { now } = this.world;
    const place =
      cursor === undefined ? { walk: name, position: 0, page: 1, issuedAt: now } : this.#cursors.get(cursor);
    const refuse = (code: string, aged?: number) => ({
      answer: { status: 400, code },
      refusal: { code, kind: "list" },
      aged,
    });
    if (place === undefined) return refuse("INVALID_CURSOR");
    const { cursorLifetime } = this.weather;
    if (now - place.issuedAt >= cursorLifetime) return refuse("INVALID_CURSOR", cursorLifetime);
    if (place.walk !== name) return refuse("CURSOR_FILTERS_CHANGED");
    const isEmptied = fault?.kind === "empty-page";
    const end = Math.min(this.rows, place.position + pageSize);
    const position = isEmptied ? place.position : end;
    const next = isEmptied || end < this.rows ? this.#seal({ walk: name, position, page: place.page + 1 }) : undefined;
    const rows = isEmptied ? 0 : end - place.position;
    return {
      answer: { status: 200, page: { rows, next } },
      place: `${place.page} ${place.position}`,
      ...(isEmptied && { injected: true }),
    };
  }

  #seal(place: Omit<Place, "issuedAt">): string {
    this.#number += 1;
    const cursor = `cursor ${this.#number}`;
    this.#cursors.set(cursor, { ...place, issuedAt: this.world.now });
    return cursor;
  }
}

function refused(status: number, code: string, kind: string, invalidToken = false): Access {
  return { ...granted, answer: { status, code, invalidToken }, refusal: { code, kind } };
}
