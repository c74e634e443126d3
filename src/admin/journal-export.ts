import { harEntryOf } from "../sandbox/journal/har.js";
import { type AnyEntry, isRequest } from "../sandbox/journal/journal.js";
import { detailOf, itemOf } from "../sandbox/journal/view.js";
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
  const { contentType, name } = formats[format];
  const orders: number[] = [];
  for (const entry of context.journal.newestFirst()) if (chosen(entry)) orders.push(entry.order);
  const pieces = piecesOf(formats[format], context, orders);
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    // The stream calls this for each piece, as fast as the reader reads.
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(stream, { headers });
}

/** The text of the file. @param orders the places of the entries, newest first */
async function* piecesOf({ head, separator, end, write }: Format, context: AdminContext, orders: number[]) {
  yield head(context);
  let before = "";
  while (orders.length > 0) {
    let text = "";
    let left = piece;
    await doInTurns(() => {
      const entry = context.journal.at(orders.pop() as number);
      if (entry !== undefined) {
        text += before + write(entry, context);
        before = separator;
      }
      left -= 1;
      return left > 0 && orders.length > 0;
    });
    yield text;
  }
  yield end;
}
