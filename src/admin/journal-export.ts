import { type AnyEntry, isRequest } from "../sandbox/journal/entry.js";
import { harEntryOf } from "../sandbox/journal/har.js";
import { detailOf, itemOf } from "../sandbox/journal/view.js";
import type { AdminContext } from "./context.js";
import { inTurns } from "./turns.js";

/** A piece of the file ends after this many characters. */
const pieceLength = 100_000;

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
  readerGone: AbortSignal,
): Response {
  const { contentType, name } = formats[format];
  const pieces = piecesOf(formats[format], context, chosen, readerGone);
  const stream = new ReadableStream<Uint8Array>({
    // The stream calls this for each piece, as fast as the reader reads.
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
  });
  const headers = { "Content-Type": contentType, "Content-Disposition": `attachment; filename="${name}"` };
  return new Response(stream, { headers });
}

/** The text of the file. */
async function* piecesOf(
  { head, separator, end, write }: Format,
  context: AdminContext,
  chosen: (entry: AnyEntry) => boolean,
  readerGone: AbortSignal,
): AsyncGenerator<string, void> {
  const { journal } = context;
  const orders = Array.from(journal.newestFirst(), ({ order }) => order).reverse();
  let text = head(context);
  let before = "";
  for await (const order of inTurns(orders, readerGone)) {
    const entry = journal.at(order);
    if (entry === undefined || !chosen(entry)) continue;
    text += before + write(entry, context);
    before = separator;
    if (text.length < pieceLength) continue;
    yield text;
    text = "";
  }
  yield text + end;
}
