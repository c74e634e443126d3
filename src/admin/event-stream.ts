import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";

/** How often a comment is sent, so that proxies and browsers keep the stream open, in milliseconds. */
const keepAliveInterval = 15_000;

/** How many events may wait for a reader. A slow reader misses events, so that memory stays bounded. */
export const mostWaiting = 1000;

/**
 * An event counts once for every 2000 bytes, and at least once: the queue of a slow reader takes two megabytes at most.
 */
const bytesPerEvent = 2000;

/** Maximum number of open streams of events of one sandbox. */
export const mostStreams = 100;

/** Server-Sent Events (HTML standard, §9.2), until the reader disconnects or the sandbox stops. */
export function eventStream(
  { closing, store, streams }: AdminContext,
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
        // `AbortSignal.any` would keep memory for every stream until the sandbox stops.
        for (const signal of [closing, readerGone]) {
          signal.addEventListener("abort", close);
          endings.push(() => signal.removeEventListener("abort", close));
        }
        events.send("retry: 1000\n\n");
        endings.push(...follow(events), store.follow());
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
 * The bounded queue of events of a reader. Events that do not fit are counted; an event `missed` reports their number.
 */
export class EventQueue {
  readonly #encoder = new TextEncoder();
  #missed = 0;

  constructor(private readonly controller: ReadableStreamDefaultController<Uint8Array>) {}

  /** @param data called only if there is room for the event */
  add(name: string, data: () => unknown): void {
    if (this.#room < (this.#missed > 0 ? 2 : 1)) {
      this.miss();
      return;
    }
    if (this.#missed > 0) {
      this.send(event("missed", { count: this.#missed }));
      this.#missed = 0;
    }
    this.send(event(name, data()));
  }

  /** Counts an event that the reader misses. */
  miss(): void {
    this.#missed += 1;
  }

  send(text: string): void {
    if (this.#room > 0) this.controller.enqueue(this.#encoder.encode(text));
  }

  get #room(): number {
    return this.controller.desiredSize ?? 0;
  }
}

/** The text of an event with JSON data (HTML, "Server-sent events"). */
export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
