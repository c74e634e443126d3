import { harEntryOf } from "../journal/har.js";
import { type AnyEntry, isRequest } from "../journal/journal.js";
import { detailOf, itemOf } from "../journal/view.js";
import type { AdminContext } from "./context.js";

/** Entries in a piece of the file. Between two pieces, requests are served. */
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
    async pull(controller) {
      // A reader that keeps up asks for the next piece at once.
      await new Promise(setImmediate);
      let text = "";
      // A stream that is given nothing is not asked again: where all of a piece was removed meanwhile, the next one follows.
      for (let left = piece; (left > 0 || text === "") && orders.length > 0; left--) {
        const entry = journal.at(orders.pop() as number);
        if (entry === undefined) continue;
        text += before + write(entry, context);
        before = separator;
      }
      if (orders.length > 0) return controller.enqueue(encoder.encode(text));
      const rest = text + (before === begin ? begin : "") + end;
      if (rest !== "") controller.enqueue(encoder.encode(rest));
      controller.close();
    },
  });
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(stream, { headers });
}
