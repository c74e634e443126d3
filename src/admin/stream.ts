import { monotonicNow } from "../clock.js";
import { countEntries } from "../journal/count.js";
import { type AnyEntry, isRequest } from "../journal/journal.js";
import { handshakeView, itemOf, summaryOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";
import { chosenBy, type Filters, matcherInTurns } from "./journal-choice.js";

/** How often a comment is sent, so that proxies and browsers keep the stream open. Milliseconds. */
const keepAliveInterval = 15_000;

/** How many events may wait for a reader. One that is too slow misses events, so that it does not fill the memory. */
export const mostWaiting = 1000;

/** Bytes of events that count as one of these at least: a stream whose reader is slow takes two megabytes at most. */
const bytesPerEvent = 2000;

/** Streams of events that are open at a time, of one sandbox. */
export const mostStreams = 100;

/** How long an exchange waits for the end of its answer before it is sent without, in milliseconds. */
const patience = 100;

/** Counts wait for others to come, are sent at most so often, in milliseconds, and take at most a twentieth of the time. */
const countDelay = 50;
const countInterval = 500;
const countShare = 20;

/** `GET /requests/stream`: handshakes have no other filter than the query. @throws AdminError */
export function requestStream(context: AdminContext, filters: Filters, readerGone: AbortSignal): Response {
  const { explanations } = context;
  const matches = chosenBy(filters, explanations);
  const follows = filters.q === undefined ? (entry: AnyEntry) => !isRequest(entry) || matches(entry) : matches;
  const view = (entry: AnyEntry) => (isRequest(entry) ? summaryOf(entry, explanations) : handshakeView(entry));
  return eventStream(context, readerGone, (events) => [followEntries(context, follows, view, events, 0)]);
}

/** `GET /journal/stream`. @throws AdminError */
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
      followEntries(context, matcher.matches, (entry) => itemOf(entry, explanations), events, mostWaiting),
      journal.listen({ over() {}, cleared: (whole) => events.add("cleared", () => ({ whole })) }),
      followCounts(context, () => countEntries(journal, matcher), events),
    ];
  });
}

/** Server-Sent Events (HTML standard, §9.2), from now on, until the reader goes away or the sandbox stops. */
function eventStream(
  { closing, shared, streams }: AdminContext,
  readerGone: AbortSignal,
  follow: (events: EventQueue) => readonly (() => void)[],
): Response {
  if (streams.size >= mostStreams)
    throw new AdminError("TOO_MANY_STREAMS", `There are ${mostStreams} streams of events; close some.`);
  const endings: (() => void)[] = [];
  streams.add(endings);
  endings.push(() => streams.delete(endings));
  const end = () => {
    for (const stop of endings.splice(0)) stop();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const events = new EventQueue(controller);
        const close = () => {
          end();
          controller.close();
        };
        if (closing.aborted || readerGone.aborted) return close();
        // Not AbortSignal.any, which keeps something of every stream as long as the sandbox lives.
        for (const signal of [closing, readerGone]) {
          signal.addEventListener("abort", close);
          endings.push(() => signal.removeEventListener("abort", close));
        }
        events.send("retry: 1000\n\n");
        endings.push(...follow(events));
        if (shared) endings.push(shared.follow());
        const timer = setInterval(() => events.send(": still here\n\n"), keepAliveInterval);
        timer.unref();
        endings.push(() => clearInterval(timer));
      },
      cancel: end,
    },
    { highWaterMark: mostWaiting, size: ({ length }) => Math.max(1, length / bytesPerEvent) },
  );
  return new Response(stream, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
}

/**
 * Sends what matches: an exchange when its answer has left, with the duration of the whole. One that takes longer is sent without.
 * @param mostUnfinished how many of these are sent again in the end
 */
function followEntries(
  { journal }: AdminContext,
  matches: (entry: AnyEntry) => boolean,
  view: (entry: AnyEntry) => unknown,
  events: EventQueue,
  mostUnfinished: number,
): () => void {
  const send = (entry: AnyEntry) => events.add(isRequest(entry) ? "request" : "handshake", () => view(entry));
  /** By number: those that wait for the end of their answer, and those that were sent without. */
  const waiting = new Map<number, AnyEntry>();
  const unfinished = new Map<number, AnyEntry>();
  let timer: NodeJS.Timeout | undefined;
  const sendWaiting = () => {
    timer = undefined;
    for (const [number, entry] of waiting) {
      send(entry);
      if (unfinished.size < mostUnfinished) unfinished.set(number, entry);
    }
    waiting.clear();
  };
  const stops = [
    journal.requests.subscribe((entry) => {
      if (!matches(entry)) return;
      if (entry.item.delivered !== undefined || waiting.size === mostWaiting) return send(entry);
      waiting.set(entry.number, entry);
      timer ??= setTimeout(sendWaiting, patience);
    }),
    journal.handshakes.subscribe((entry) => {
      if (matches(entry)) send(entry);
    }),
    journal.listen({
      over(number) {
        const entry = waiting.get(number) ?? unfinished.get(number);
        if (entry === undefined) return;
        waiting.delete(number);
        unfinished.delete(number);
        send(entry);
      },
      cleared() {
        waiting.clear();
        unfinished.clear();
      },
    }),
    () => clearTimeout(timer),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Sends counts at once, and after something was added or removed. */
function followCounts({ journal }: AdminContext, count: () => unknown, events: EventQueue): () => void {
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0;
  const send = () => {
    timer = undefined;
    const begun = monotonicNow();
    events.add("counts", count);
    notBefore = begun + Math.max(countInterval, (monotonicNow() - begun) * countShare);
  };
  const later = () => {
    timer ??= setTimeout(send, Math.max(countDelay, notBefore - monotonicNow()));
  };
  send();
  const stops = [
    journal.requests.subscribe(later),
    journal.handshakes.subscribe(later),
    // The duration of an exchange is known in the end.
    journal.listen({ over: later, cleared: later }),
    () => clearTimeout(timer),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The bounded queue of events. What does not fit is counted, and the reader is told how many events it has missed. */
class EventQueue {
  readonly #encoder = new TextEncoder();
  #missed = 0;

  constructor(private readonly controller: ReadableStreamDefaultController<Uint8Array>) {}

  /** @param data made only if there is room for it */
  add(name: string, data: () => unknown): void {
    if (this.#room < (this.#missed > 0 ? 2 : 1)) {
      this.#missed += 1;
      return;
    }
    if (this.#missed > 0) {
      this.send(event("missed", { count: this.#missed }));
      this.#missed = 0;
    }
    this.send(event(name, data()));
  }

  send(text: string): void {
    if (this.#room > 0) this.controller.enqueue(this.#encoder.encode(text));
  }

  get #room(): number {
    return this.controller.desiredSize ?? 0;
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
