import { harEntryOf } from "../journal/har.js";
import { type AnyEntry, isRequest } from "../journal/journal.js";
import { detailOf, itemOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";
import { doInTurns } from "./turns.js";

/** Entries in one piece of the file. */
const piece = 50;

/** A format of the file. */
interface Format {
  readonly contentType: string;
  readonly name: string;
  readonly head: (context: AdminContext) => string;
  readonly separator: string;
  readonly end: string;
  write(entry: AnyEntry, context: AdminContext): string;
}

const formats: Readonly<Record<"har" | "ndjson", Format>> = {
  har: {
    contentType: "application/json",
    name: "journal.har",
    head(context) {
      const creator = { name: "Business Payments Sandbox", version: context.health().version };
      return `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[\n`;
    },
    separator: ",\n",
    end: "\n]}}\n",
    write: (entry, { explanations, url }) =>
      isRequest(entry) ? JSON.stringify(harEntryOf(entry, explanations, new URL(url()).origin)) : "",
  },
  ndjson: {
    contentType: "application/x-ndjson",
    name: "journal.ndjson",
    head: () => "",
    separator: "",
    end: "",
    write(entry, { explanations }) {
      const item = itemOf(entry, explanations);
      return `${JSON.stringify(isRequest(entry) ? { ...item, ...detailOf(entry, explanations) } : item)}\n`;
    },
  },
};

/**
 * A file of the chosen entries, oldest first. It is written while it is read, without entries that are removed
 * meanwhile.
 */
export function exportOf(
  format: keyof typeof formats,
  context: AdminContext,
  chosen: (entry: AnyEntry) => boolean,
): Response {
  const { contentType, name, head, separator, end, write } = formats[format];
  const { journal } = context;
  const orders: number[] = [];
  for (const entry of journal.newestFirst()) if (chosen(entry)) orders.push(entry.order);
  const encoder = new TextEncoder();
  const begin = head(context);
  let before = begin;
  const stream = new ReadableStream<Uint8Array>({
    // The stream calls this for each piece, as fast as the reader reads.
    pull: (controller) => {
      let text = "";
      let left = piece;
      return doInTurns(() => {
        // A stream that gets no data does not call `pull` again: if a whole piece was removed, continue with the next.
        if ((left > 0 || text === "") && orders.length > 0) {
          const entry = journal.at(orders.pop() as number);
          left -= 1;
          if (entry === undefined) return true;
          text += before + write(entry, context);
          before = separator;
          return true;
        }
        const isEnd = orders.length === 0;
        if (isEnd) text += (before === begin ? begin : "") + end;
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (isEnd) controller.close();
        return false;
      });
    },
  });
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(stream, { headers });
}
