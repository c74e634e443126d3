import { second } from "../base/text/duration.js";
import { enumerated } from "../base/text/enumerated.js";
import { clientIdOf } from "../sandbox/journal/claimed-clients.js";
import type { AnyEntry } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";
import { summaryOf } from "../sandbox/journal/view.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";
import { mostStreams } from "./event-stream.js";
import type { Filters } from "./journal-choice.js";
import { inTurns } from "./turns.js";

/** How many of the requests that came instead are named. */
const mostNamed = 5;

/**
 * Waits until an exchange matches; one that is in the journal already counts. Its answer may still be on its way.
 * @param chosen whether an exchange matches
 * @param milliseconds how long
 * @param callerGone aborted when the caller disconnects
 * @throws AdminError NOTHING_MATCHED, or TOO_MANY_STREAMS when many wait already
 */
export async function waitForMatch(
  chosen: (entry: AnyEntry) => boolean,
  { client }: Filters,
  context: AdminContext,
  milliseconds: number,
  callerGone: AbortSignal,
): Promise<void> {
  const { journal, store, streams, closing } = context;
  if (streams.size >= mostStreams)
    throw new AdminError("TOO_MANY_STREAMS", `${mostStreams} calls wait or read streams of events; end some.`);
  const endings: (() => void)[] = [];
  streams.add(endings);
  try {
    const isThere = await new Promise<boolean>((resolve, reject) => {
      /** Those whose answers have not ended: a query may test how they end. */
      const unfinished = new Map<number, JournalEntry<Exchange>>();
      const look = (entry: JournalEntry<Exchange>) => {
        const isMatch = chosen(entry);
        if (isMatch) resolve(true);
        else if (entry.item.delivered === undefined) unfinished.set(entry.number, entry);
        return isMatch;
      };
      const lookBack = async () => {
        for await (const entry of inTurns([...journal.requests.newestFirst()], callerGone)) if (look(entry)) return;
      };
      const over = (number: number) => {
        const entry = unfinished.get(number);
        unfinished.delete(number);
        if (entry !== undefined && chosen(entry)) resolve(true);
      };
      endings.push(journal.requests.subscribe(look), journal.listen({ over }), store.follow());
      const timer = setTimeout(() => resolve(false), milliseconds);
      endings.push(() => clearTimeout(timer));
      for (const signal of [closing, callerGone]) {
        const end = () => resolve(false);
        signal.addEventListener("abort", end);
        endings.push(() => signal.removeEventListener("abort", end));
      }
      lookBack().catch(reject);
    });
    if (isThere) return;
  } finally {
    streams.delete(endings);
    for (const end of endings) end();
  }
  if (closing.aborted) throw new AdminError("NOTHING_MATCHED", "No request matched before the sandbox was stopped.");
  const others: string[] = [];
  for (const entry of journal.requests.newestFirst()) {
    if (client !== undefined && clientIdOf(entry.item) !== client) continue;
    const { method, target, status } = summaryOf(entry, context.explanations);
    others.push(`${method} ${target} (${status === 0 ? "no answer" : status})`);
    if (others.length === mostNamed) break;
  }
  const whose = client === undefined ? "" : ` of ${client}`;
  throw new AdminError(
    "NOTHING_MATCHED",
    `No request matched within ${milliseconds / second} s. ${
      others.length === 0 ? `No request${whose} came.` : `The last ones${whose}: ${enumerated(others, "and")}.`
    }`,
  );
}
