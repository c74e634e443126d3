import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";

/** How often a comment is sent, so that proxies and browsers keep the stream open. Milliseconds. */
const keepAliveInterval = 15_000;

/** How many events may wait for a reader. One that is too slow misses events, so that it does not fill the memory. */
export const mostWaiting = 1000;

/** Bytes of events that count as one of these at least: a stream whose reader is slow takes two megabytes at most. */
const bytesPerEvent = 2000;

/** Streams of events that are open at a time, of one sandbox. */
export const mostStreams = 100;

/** Server-Sent Events (HTML standard, §9.2), from now on, until the reader goes away or the sandbox stops. */
export function eventStream(
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

/** The bounded queue of events of a reader. What does not fit is counted, and the reader is told how many events it has missed. */
export class EventQueue {
  readonly #encoder = new TextEncoder();
  #missed = 0;

  constructor(private readonly controller: ReadableStreamDefaultController<Uint8Array>) {}

  /** @param data made only if there is room for it */
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

  /** Counts an event that the reader does not get. */
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

/** An event with JSON as its data, as a stream of events has it (HTML, "Server-sent events"). */
export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
