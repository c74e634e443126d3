import { harEntryOf } from "../journal/har.js";
import { type AnyEntry, isRequest } from "../journal/journal.js";
import { detailOf, itemOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";
import { doInTurns } from "./turns.js";

/** Entries in a piece of the file. */
const piece = 50;

/** How the entries of a file are written. */
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

/** A file of the entries that are chosen, oldest first. It is written as it is read: what is removed meanwhile is left out. */
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
    // A reader that keeps up asks for the next piece at once.
    pull: (controller) => {
      let text = "";
      let left = piece;
      return doInTurns(() => {
        // A stream that is given nothing is not asked again: where all of a piece was removed meanwhile, the next one follows.
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
