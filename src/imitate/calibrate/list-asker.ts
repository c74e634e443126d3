import type { JsonObject } from "../../base/text/json-object.js";
import { answerOf, type Observation, outcomeText, refusalOf } from "./answer.js";
import { isOtherPage, type Page, pageOf } from "./page.js";
import { acceptedOf, type CallOptions, type ListTarget, type SeenAnswers } from "./seen-answers.js";

/** The id of a step of a list. */
export const stepId = ({ name }: ListTarget, what: string) => `list.${name}.${what}`;

/** Parameters by name. */
export type Query = Readonly<Record<string, string>>;

/** A request about a list. */
export interface ListRequest {
  /** What it asks, as the end of the id of its step. */
  readonly what: string;
  readonly says: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly options: CallOptions;
}

/**
 * Requests about a list, one after the other: each depends on the answers before it. It receives the observation of a
 * request; undefined if it was not sent.
 */
export type Sequence<Result> = Generator<ListRequest, Result, Observation | undefined>;

/** A page, and the request that it answers. */
export interface SeenPage {
  readonly observation: Observation;
  readonly page: Page;
}

/** Neither a cursor, nor a date, nor a number. */
export const neverIssued = "calibrate";

/** What a request has besides its query. */
interface Rest {
  readonly path?: string;
  readonly options?: CallOptions;
}

/** Requests whose pages the sandbox does not have: rows of an unknown parent, and pages by their number. */
const foreignPages = /^(parent|number)\./;

/** Asks about one list, and keeps the pages that it was answered with. */
export class ListAsker {
  /** All pages, in the order of their requests. */
  readonly pages: SeenPage[] = [];
  #unknown: Observation | undefined;

  constructor(
    readonly list: ListTarget,
    known: SeenAnswers,
  ) {
    this.#unknown = known.seen.get("ping.unknown-parameter");
  }

  *ask(
    what: string,
    says: string,
    query: Query = {},
    { path, options = {} }: Rest = {},
  ): Sequence<Observation | undefined> {
    const { list } = this;
    const text = new URLSearchParams(query).toString();
    const target = path ?? (text === "" ? list.target : `${list.target}?${text}`);
    const observation = yield {
      what,
      says: `${options.method ?? "GET"} ${list.path} ${says}`.trim(),
      path: target,
      options,
    };
    const page = pageIn(observation);
    const isOwn = Object.keys(options).length === 0 && !foreignPages.test(what);
    if (observation !== undefined && page !== undefined && isOwn) this.pages.push({ observation, page });
    return observation;
  }

  /** Whether the same request gets other rows each time, as those of a mock that makes them at random. */
  isRandom = false;

  /** Finds out what happens to unknown parameters. Until then it counts what happens to those of ping. */
  *askUnknown(first: Page): Sequence<void> {
    const seen = yield* this.ask("unknown", "with an unknown query parameter", { calibrateUnknown: "1" });
    const page = pageIn(seen);
    this.isRandom = (page?.items.length ?? 0) > 0 && isOtherPage(page, first);
    if (acceptedOf(seen?.outcome) !== undefined) this.#unknown = seen;
  }

  /** Whether the list was answered although it had a parameter that no service knows. */
  get ignoresUnknown(): boolean {
    return acceptedOf(this.#unknown?.outcome) === true;
  }

  /** If unknown parameters are refused, a parameter that is accepted is known. */
  isAcceptedAsKnown(seen: Observation | undefined): boolean {
    return acceptedOf(seen?.outcome) === true && acceptedOf(this.#unknown?.outcome) === false;
  }

  /** If unknown parameters are ignored, or refused with another answer, a parameter that is refused is known. */
  isRefusedAsKnown(seen: Observation | undefined): boolean {
    if (seen === undefined || acceptedOf(seen.outcome) !== false) return false;
    if (this.#unknown === undefined || this.ignoresUnknown) return this.ignoresUnknown;
    return (
      acceptedOf(this.#unknown.outcome) === false && outcomeText(seen.outcome) !== outcomeText(this.#unknown.outcome)
    );
  }

  /** The items of all pages, each once. */
  get items(): readonly JsonObject[] {
    const all = this.pages.flatMap(({ page }) => page.items);
    return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  }
}

/** The page in the answer of an observation. */
export function pageIn(observation: Observation | undefined): Page | undefined {
  return pageOf(answerOf(observation?.outcome));
}

/** The parameters of the request of an observation. */
export function parametersOf(observation: Observation | undefined): URLSearchParams {
  return new URL(observation?.request.path ?? "/", "https://host").searchParams;
}

/** The code of the refusal in an observation, or an empty text. */
export function codeIn(observation: Observation | undefined): string {
  return refusalOf(answerOf(observation?.outcome))?.code ?? "";
}
