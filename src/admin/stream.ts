import type { Exchange } from "../journal/exchange.js";
import { handshakeView, summaryOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";

/** How often a comment is sent, so that proxies and browsers keep the stream open. Milliseconds. */
const keepAliveInterval = 15_000;

/** What a reader that does not read may have waiting, in events: then it misses some instead of filling the memory. */
const mostWaiting = 1000;

/** The journal as Server-Sent Events (HTML standard, §9.2), from now on, until the reader goes away. */
export function eventStream(
  { journal, explanations, closing }: AdminContext,
  chosen: (exchange: Exchange) => boolean,
  readerGone: AbortSignal,
): ReadableStream<Uint8Array> {
  const signal = AbortSignal.any([readerGone, closing]);
  const encoder = new TextEncoder();
  const endings: (() => void)[] = [];
  const end = () => {
    for (const stop of endings.splice(0)) stop();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
        };
        send("retry: 1000\n\n");
        endings.push(
          journal.requests.subscribe((entry) => {
            if (chosen(entry.item)) send(event("request", entry.number, summaryOf(entry, explanations)));
          }),
          journal.handshakes.subscribe((entry) => send(event("handshake", entry.number, handshakeView(entry)))),
        );
        const timer = setInterval(() => send(": still here\n\n"), keepAliveInterval);
        timer.unref();
        endings.push(() => clearInterval(timer));
        const close = () => {
          end();
          controller.close();
        };
        signal.addEventListener("abort", close, { once: true });
        endings.push(() => signal.removeEventListener("abort", close));
      },
      cancel: end,
    },
    new CountQueuingStrategy({ highWaterMark: mostWaiting }),
  );
}

function event(name: string, id: number, data: unknown): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
