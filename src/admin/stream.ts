import type { Exchange } from "../journal/exchange.js";
import { handshakeView, summaryOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";

/** How often a comment is sent, so that proxies and browsers keep the stream open. Milliseconds. */
const keepAliveInterval = 15_000;

/** How many events may wait for a reader. One that is too slow misses events, so that it does not fill the memory. */
export const mostWaiting = 1000;

/** The journal as Server-Sent Events (HTML standard, §9.2), from now on, until the reader goes away or the sandbox stops. */
export function eventStream(
  { journal, explanations, closing, shared }: AdminContext,
  chosen: (exchange: Exchange) => boolean,
  readerGone: AbortSignal,
): ReadableStream<Uint8Array> {
  const endings: (() => void)[] = [];
  const end = () => {
    for (const stop of endings.splice(0)) stop();
  };
  return new ReadableStream<Uint8Array>(
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
        endings.push(
          journal.requests.subscribe((entry) => {
            if (chosen(entry.item)) events.add("request", () => summaryOf(entry, explanations));
          }),
          journal.handshakes.subscribe((entry) => events.add("handshake", () => handshakeView(entry))),
        );
        if (shared) endings.push(shared.follow());
        const timer = setInterval(() => events.send(": still here\n\n"), keepAliveInterval);
        timer.unref();
        endings.push(() => clearInterval(timer));
      },
      cancel: end,
    },
    new CountQueuingStrategy({ highWaterMark: mostWaiting }),
  );
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
