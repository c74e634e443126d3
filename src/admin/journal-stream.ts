import { monotonicNow } from "../sandbox/clock.js";
import { type AnyEntry, isRequest } from "../sandbox/journal/entry.js";
import type { Matcher } from "../sandbox/journal/match-query.js";
import { countEntries, EntryCounts } from "../sandbox/journal/match-query.js";
import { handshakeView, itemOf, summaryOf } from "../sandbox/journal/view.js";
import type { AdminContext } from "./context.js";
import { type EventQueue, event, eventStream, mostWaiting } from "./event-stream.js";
import { chosenBy, type Filters, matcherInTurns } from "./journal-choice.js";
import { inTurns } from "./turns.js";

/** How long to wait for the end of an answer before the exchange is sent without it, in milliseconds. */
const patience = 100;

/**
 * Milliseconds. Counts are delayed to combine changes, sent at most once per interval, and take about 1/20 of the time.
 */
const countDelay = 50;
const countInterval = 500;
const longestCountInterval = 5000;
const countShare = 20;

/**
 * `GET /requests/stream`: only the query applies to handshakes.
 * @throws AdminError
 */
export function requestStream(context: AdminContext, filters: Filters, readerGone: AbortSignal): Response {
  const { explanations } = context;
  const matches = chosenBy(filters, explanations);
  const follows = filters.q === undefined ? (entry: AnyEntry) => !isRequest(entry) || matches(entry) : matches;
  const view = (entry: AnyEntry) => (isRequest(entry) ? summaryOf(entry, explanations) : handshakeView(entry));
  return eventStream(context, readerGone, (events) => followEntries(context, follows, view, events, 0));
}

/**
 * `GET /journal/stream`.
 * @throws AdminError
 */
export async function journalStream(
  context: AdminContext,
  q: string | undefined,
  readerGone: AbortSignal,
): Promise<Response> {
  const { journal, explanations } = context;
  const matcher = await matcherInTurns(q, journal, explanations, readerGone);
  return eventStream(context, readerGone, (events) => {
    events.send(event("hello", { run: journal.run }));
    return [
      ...followEntries(context, matcher.matches, (entry) => itemOf(entry, explanations), events, mostWaiting),
      journal.listen({ over() {}, cleared: (whole) => events.add("cleared", () => ({ whole })) }),
      ...followCounts(context, matcher, events),
    ];
  });
}

/**
 * Sends matching entries. An exchange waits for the end of its answer, so that it has the duration of the whole; after
 * `patience` it is sent without.
 * @param mostUnfinished how many of the slow exchanges are sent again when their answers end
 */
function followEntries(
  { journal }: AdminContext,
  matches: (entry: AnyEntry) => boolean,
  view: (entry: AnyEntry) => unknown,
  events: EventQueue,
  mostUnfinished: number,
): readonly (() => void)[] {
  /** By number: exchanges that wait for the end of their answer, and exchanges that were sent before it. */
  const waiting = new Map<number, AnyEntry>();
  const unfinished = new Map<number, AnyEntry>();
  let timer: NodeJS.Timeout | undefined;
  const send = (entry: AnyEntry) => {
    if (matches(entry)) events.add(isRequest(entry) ? "request" : "handshake", () => view(entry));
  };
  const sendWaiting = () => {
    timer = undefined;
    for (const [number, entry] of waiting) {
      send(entry);
      if (unfinished.size < mostUnfinished) unfinished.set(number, entry);
    }
    waiting.clear();
  };
  return [
    journal.requests.subscribe((entry) => {
      if (entry.item.delivered !== undefined || waiting.size === mostWaiting) return send(entry);
      waiting.set(entry.number, entry);
      timer ??= setTimeout(sendWaiting, patience);
    }),
    journal.handshakes.subscribe(send),
    journal.listen({
      over(number) {
        const entry = waiting.get(number) ?? unfinished.get(number);
        waiting.delete(number);
        unfinished.delete(number);
        if (entry !== undefined) send(entry);
      },
      cleared() {
        for (const entries of [waiting, unfinished])
          for (const [number, { order }] of entries) if (journal.at(order) === undefined) entries.delete(number);
      },
    }),
    () => clearTimeout(timer),
  ];
}

/** Sends counts at once, and whenever an entry was added or removed. */
function followCounts({ journal }: AdminContext, matcher: Matcher, events: EventQueue): readonly (() => void)[] {
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0;
  let isCounting = false;
  let isOutdated = false;
  let isOver = false;
  const later = () => {
    isOutdated = true;
    if (!isCounting) timer ??= setTimeout(() => void countNow(), Math.max(countDelay, notBefore - monotonicNow()));
  };
  const countNow = async () => {
    timer = undefined;
    isCounting = true;
    isOutdated = false;
    const begun = monotonicNow();
    const found = new EntryCounts();
    for await (const entry of inTurns([...journal.newestFirst()])) {
      if (isOver) return;
      found.add(entry, matcher);
    }
    events.add("counts", () => found);
    const taken = monotonicNow() - begun;
    notBefore = begun + Math.min(longestCountInterval, Math.max(countInterval, taken * countShare));
    isCounting = false;
    if (isOutdated) later();
  };
  events.add("counts", () => countEntries(journal.newestFirst(), matcher));
  return [
    journal.requests.subscribe(later),
    journal.handshakes.subscribe(later),
    // The duration of an exchange is known only at its end, and a query may test it.
    journal.listen({ over: later, cleared: later }),
    () => {
      clearTimeout(timer);
      isOver = true;
    },
  ];
}
