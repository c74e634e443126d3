import { objectIn } from "../../base/text/json-object.js";
import { neededScope } from "../../sandbox/api/access.js";
import { answerOf, type Observation, type ProbeRequest } from "./answer.js";
import { type ComparisonContext, type Difference, differencesOf } from "./compare.js";
import { parametersOf, stepId } from "./list-asker.js";
import { listFacts } from "./list-facts.js";
import { dateOfItem } from "./order.js";
import { cursorOf, type Page, pageOf } from "./page.js";
import { altered } from "./probe.js";
import type { Transport } from "./runner.js";
import { withoutSecrets } from "./secrets.js";
import { type ListTarget, type SeenAnswers, tokenIn, tokenPath } from "./seen-answers.js";

/** Requests that ask the same, by the beginning of their ids: together they are one answer of the score. */
const questions: readonly (readonly [RegExp, string])[] = [
  [/^session\./, "session"],
  [/^ping\.(plain|again)/, "ping"],
  [/^correlation\.(echo|format)/, "correlation"],
  [/^access\.(altered|made-up)-token/, "access.wrong-token"],
];

/** The same for the requests about a list. Sizes are told apart by their values. */
const questionsOfList: readonly (readonly [RegExp, string])[] = [
  [/^(cursor\.|cursor-row|number\.|page|large)/, "next page"],
  [/^cursor-(bad|tampered)/, "wrong cursor"],
  [/^dates\./, "from the future"],
  [/^dates-(past|to|bounds)/, "dates"],
  [/^dates-(bad|word)/, "no date"],
  [/^filter/, "filter"],
];

/** The question that a request asks. All names that are tried for a parameter ask one; the pages of a walk, too. */
function pointOf(known: SeenAnswers, observation: Observation): string {
  const { id } = observation.step;
  const list = listOf(known, observation);
  if (list === undefined) return found(questions, id);
  const what = id.slice(stepId(list, "").length);
  if (isOtherName(known, list, what)) return stepId(list, "unknown");
  return stepId(list, what.startsWith("size") ? sizeQuestion(known, list, observation) : found(questionsOfList, what));
}

/** Whether a request has a name that was tried, and that the list does not have. */
function isOtherName(known: SeenAnswers, list: ListTarget, what: string): boolean {
  const [, kind, name] = /^(dates|size-name)\.(.+?)(?:\.(?:time|day))?$/.exec(what) ?? [];
  const facts = listFacts(known, list);
  return kind !== undefined && name !== (kind === "dates" ? facts?.dates?.from : facts?.sizeName);
}

/** The list that a request is about. */
function listOf({ options }: SeenAnswers, { step }: Observation): ListTarget | undefined {
  return options.lists.find((each) => step.id.startsWith(stepId(each, "")));
}

function found(all: typeof questions, id: string): string {
  return all.find(([ids]) => ids.test(id))?.[1] ?? id;
}

function sizeQuestion(known: SeenAnswers, list: ListTarget, observation: Observation): string {
  const [text] = parametersOf(observation).values();
  const size = Number(text);
  const maximum = listFacts(known, list)?.sizes.maximum;
  if (Number.isNaN(size)) return "size: no number";
  if (size <= 0) return "size: 0";
  if (size === maximum) return "size: the largest";
  return size > (maximum ?? 100) ? "size: too large" : "size";
}

/** An answer of the service, and in what the sandbox's answer to the same request differs. */
export interface ComparedAnswer {
  readonly observation: Observation;
  /** What was asked: answers about the same point count as one. */
  readonly point: string;
  /** Empty if the two are the same. */
  readonly differences: readonly Difference[];
}

/** The sandbox that is asked. */
export interface Imitation {
  readonly transport: Transport;
  /** Its client, and the header of its correlation IDs. */
  readonly clientId: string;
  readonly correlationHeader: string;
}

/**
 * Asks a sandbox what the service was asked, in the same order, and compares the answers. What only the service knows
 * is replaced by what the sandbox has sent in its place: tokens, cursors, and the date of a row.
 * @param known what the service answered
 */
export async function replay(known: SeenAnswers, { transport, clientId, correlationHeader }: Imitation) {
  const own = new Map<string, string>();
  const header = known.correlationNames.find((name) => name.toLowerCase() === correlationHeader.toLowerCase());
  const compared: ComparedAnswer[] = [];
  // What is compared is also printed.
  const printable = withoutSecrets(known).seen;
  const firsts = new Map<ListTarget, ComparisonContext["first"]>();
  let token: string | undefined;
  for (const observation of known.seen.values()) {
    const { step, outcome } = observation;
    if (!isAnswer(observation)) continue;
    const request = translated(observation, { own, token, known, clientId });
    const answered = await transport.send(request);
    const [theirs, ours] = [answerOf(outcome), answerOf(answered)];
    remember(own, tokenIn(theirs), tokenIn(ours));
    token = tokenIn(ours) ?? token;
    const [page, imitated] = [pageOf(theirs), pageOf(ours)];
    const cursor = cursorOf(page);
    remember(own, cursor, cursorOf(imitated));
    if (cursor !== undefined) remember(own, withFilters(cursor, observation, known), cursorOf(imitated));
    remember(own, linkOf(page), linkOf(imitated));
    const list = listOf(known, observation);
    if (page && imitated && list && step.id === stepId(list, "first")) {
      rememberDate(own, page, imitated);
      firsts.set(list, { service: page, sandbox: imitated });
    }
    const facts = list && listFacts(known, list);
    const context: ComparisonContext = {
      rows: facts?.items ?? [],
      first: list && firsts.get(list),
      correlationHeader: Object.hasOwn(observation.request.headers, correlationHeader) ? correlationHeader : header,
    };
    const shown = printable.get(step.id) ?? observation;
    const differences = differencesOf(shown, answered, context);
    const isOfWalk = ({ what }: Difference) => what === "walk";
    const point = pointOf(known, observation);
    compared.push({ observation: shown, point, differences: differences.filter((each) => !isOfWalk(each)) });
    // Whether a walk goes on is another question than what a page is like.
    if (list && page)
      compared.push({ observation: shown, point: stepId(list, "walk"), differences: differences.filter(isOfWalk) });
  }
  return compared;
}

/** A time-out and a 429 say nothing about their request, and cannot be compared. */
function isAnswer({ step, outcome }: Observation): boolean {
  if (step.id.startsWith("limit.")) return false;
  const answer = answerOf(outcome);
  return answer === undefined ? !("failure" in outcome && outcome.failure === "ETIMEDOUT") : answer.status !== 429;
}

interface Translation {
  /** The sandbox's texts, by the service's. */
  readonly own: ReadonlyMap<string, string>;
  readonly token: string | undefined;
  readonly known: SeenAnswers;
  readonly clientId: string;
}

function translated(observation: Observation, { own, token, known, clientId }: Translation): ProbeRequest {
  const { method, path, headers, body, identity } = observation.request;
  const text = (value: string) => {
    const found = own.get(withFilters(value, observation, known)) ?? own.get(value);
    if (found !== undefined) return found;
    const original = [...own.keys()].find((each) => altered(each) === value);
    return original === undefined ? value : altered(own.get(original) as string);
  };
  const [plain = "", query] = path.split("?");
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [name, text(value)]);
  const changed = Object.entries(headers).map(([name, value]) => {
    if (name !== "Authorization") return [name, value];
    const sent = /^bearer (.*)$/i.exec(value)?.[1];
    // An older token of the service, which a newer answer has replaced.
    const isOwn = sent !== undefined && sent !== "" && text(sent) === sent && !sent.includes("calibrate");
    return [
      name,
      sent === undefined || sent === "" ? value : `Bearer ${isOwn && token !== undefined ? token : text(sent)}`,
    ];
  });
  const sentBody = body === undefined || plain !== tokenPath ? body : translatedForm(body, known, clientId);
  return {
    method,
    path: query === undefined ? plain : `${plain}?${own.get(`?${query}`)?.slice(1) ?? new URLSearchParams(pairs)}`,
    headers: Object.fromEntries(changed),
    identity,
    ...(sentBody !== undefined && sentBody !== "" && { body: sentBody }),
  };
}

/** A token request with the client of the sandbox, and a scope that opens its ping. */
function translatedForm(body: string, { options }: SeenAnswers, clientId: string): string {
  const { scope, clientId: given } = options;
  const granted = scope.split(" ").includes(neededScope) ? scope : neededScope;
  const own = new Map([
    [`client_id ${given}`, clientId],
    [`scope ${scope}`, granted],
  ]);
  const translate = ([name, value]: readonly [string, string]): [string, string] => [
    name,
    own.get(`${name} ${value}`) ?? value,
  ];
  const form = objectIn(body) as Readonly<Record<string, string>> | undefined;
  if (form !== undefined) return JSON.stringify(Object.fromEntries(Object.entries(form).map(translate)));
  return new URLSearchParams([...new URLSearchParams(body)].map(translate)).toString();
}

function remember(own: Map<string, string>, theirs: string | undefined, ours: string | undefined): void {
  if (theirs !== undefined && ours !== undefined) own.set(theirs, ours);
}

/**
 * A cursor together with the filters of its request: a service may have one cursor for all of them, such as the number
 * of a row, and the sandbox has another for each.
 */
function withFilters(cursor: string, observation: Observation, known: SeenAnswers): string {
  const list = listOf(known, observation);
  const { sizeName, cursorName } = (list && listFacts(known, list)) ?? {};
  const filters = [...parametersOf(observation)].filter(([name]) => name !== sizeName && name !== cursorName);
  return `${cursor} ${list?.name} ${new URLSearchParams(filters)}`;
}

/** The query of the link to the next page. */
function linkOf(page: Page | undefined): string | undefined {
  const { cursor } = page ?? {};
  return cursor?.includes("?") ? cursor.slice(cursor.indexOf("?")) : undefined;
}

function rememberDate(own: Map<string, string>, page: Page, imitated: Page): void {
  const [theirs, ours] = [dateOfItem(page), dateOfItem(imitated)];
  remember(own, theirs, ours);
  remember(own, theirs?.slice(0, 10), ours?.slice(0, 10));
}
