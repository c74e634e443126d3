import { join } from "node:path";
import { observeHandshake } from "../exam/exam.js";
import type { Examiner } from "../exam/examiner.js";
import { unreadableBecause } from "../base/files/regular-file.js";
import { objectIn } from "../base/text/json-object.js";
import type { ClientRecord } from "../sandbox/clients.js";
import { restoreClaims } from "../sandbox/journal/claimed-clients.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { type ExchangeText, exchangeIn, type ReadingContext } from "../sandbox/journal/exchange-text.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { detailOf } from "../sandbox/journal/view.js";
import { type KeptObservation, observationIn } from "./exchange-line.js";
import { runFiles } from "./format.js";
import { type Line, readLines } from "./lines.js";
import type { Notes } from "./notes.js";
import { type KeptRun, requestFilesOf } from "./runs.js";
import { type ReadStateLine, type RequestLine, requestLineSchema, stateLineSchema } from "./schema.js";
import type { ShownParts } from "./state-lines.js";

/**
 * Reads the objects of a file, line by line.
 * @param take returns false for a line that cannot be used, and may throw
 */
async function readObjects(path: string, file: string, notes: Notes, take: (value: object) => boolean): Promise<void> {
  const read = ({ number, text, isCut }: Line) => {
    const place = `Line ${number} of ${file}`;
    if (text === undefined) return notes.add("is too long, and was left out", place);
    const value = objectIn(text);
    if (value === undefined)
      return isCut
        ? notes.add("was not written to its end: the sandbox was killed", place)
        : notes.add("is not JSON, and was left out", place);
    let isUsed = false;
    try {
      isUsed = take(value);
    } catch {
      // It has the right form, and contradicts itself.
    }
    if (!isUsed) notes.add("is not what the sandbox writes, and was left out", place);
  };
  try {
    await readLines(path, read);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    notes.add("cannot be read", `${file}: ${unreadableBecause(error)}; it`);
  }
}

/** Gives clients, clocks, identities and scenarios the state that they had at the end of the run. */
export async function restoreState({ folder }: KeptRun, parts: ShownParts, notes: Notes): Promise<void> {
  const clients = new Map<string, Extract<ReadStateLine, { client: string }>>();
  const scenarios = new Map<string, string>();
  let standing: Extract<ReadStateLine, { identities: unknown[] }>["identities"] = [];
  let sandbox: Extract<ReadStateLine, { sandbox: object }>["sandbox"] | undefined;
  await readObjects(join(folder, runFiles.state), runFiles.state, notes, (value) => {
    const { success, data } = stateLineSchema.safeParse(value);
    if (!success) return false;
    if ("client" in data) clients.set(data.client, data);
    else if ("text" in data) scenarios.set(data.scenario, data.text);
    else if ("sandbox" in data) sandbox = data.sandbox;
    else standing = data.identities ?? [];
    return true;
  });
  const { library } = parts.scenarios;
  for (const [name, text] of scenarios) {
    try {
      library.keep(await library.compile(name, text));
    } catch {
      notes.add("is not one that this release can show", `The scenario ${name}`);
    }
  }
  parts.clients.put(
    new Map([...clients].map(([id, { record }]) => [id, { client: record, formerly: [] } as ClientRecord])),
  );
  for (const identity of standing) parts.identities.add({ ...identity, folder: identity.folder, keyPem: "" });
  for (const { client: id, clock, scenario, expected = [], identities = [] } of clients.values()) {
    const client = parts.clients.get(id);
    if (client === undefined) continue;
    if (clock) client.clock.restore(clock);
    client.scenario.active = scenario;
    client.expected = expected;
    for (const identity of identities) parts.identities.add({ ...identity, folder: identity.folder, keyPem: "" });
  }
  if (sandbox === undefined) return;
  parts.clock.restore(sandbox.clock);
  parts.scenarios.activeForAll = sandbox.scenario;
}

/** What the entries of a run are read into. */
export interface EntryParts {
  readonly journal: Journal;
  /** Undefined if clients were not judged. */
  readonly examiner: Examiner | undefined;
  readonly context: ReadingContext;
  readonly explanations: ExplanationContext;
}

/** What is known of a run when its entries were read. */
export interface ReadRun {
  /** When the last entry ended, in milliseconds since the epoch on the machine's clock; undefined without entries. */
  readonly endedAt: number | undefined;
  /** How many entries were removed, because the run was larger than it may be. */
  readonly removed: number;
}

interface Numbered<Item> {
  readonly number: number;
  readonly order: number;
  readonly item: Item;
}

/** Reads the requests and handshakes of a run into a journal, and tells the judges of them. */
export async function restoreEntries({ folder }: KeptRun, parts: EntryParts, notes: Notes): Promise<ReadRun> {
  const requests: Numbered<Exchange>[] = [];
  const handshakes: Numbered<HandshakeRecord>[] = [];
  let endedAt: number | undefined;
  let removed = 0;
  const [oldest] = await requestFilesOf(folder);
  for (const file of await requestFilesOf(folder)) {
    const name = runFiles.requests(file);
    await readObjects(join(folder, name), name, notes, (value) => {
      const { success, data } = requestLineSchema.safeParse(value);
      if (!success) return false;
      if ("before" in data) {
        if (file === oldest) removed = data.before.requests + data.before.handshakes;
      } else if ("reset" in data) parts.examiner?.reset(data.reset ?? undefined);
      else if ("request" in data) {
        const entry = entryOf(data, parts);
        requests.push(entry);
        endedAt = Math.max(endedAt ?? 0, Math.ceil(entry.item.receivedAt + entry.item.duration));
      } else {
        const record = data.record as HandshakeRecord;
        handshakes.push({ number: data.handshake, order: data.order, item: record });
        parts.examiner?.handshake(observeHandshake(record, data.handshake));
        endedAt = Math.max(endedAt ?? 0, record.at);
      }
      return true;
    });
  }
  addInOrder(requests, parts.journal.requests, notes);
  addInOrder(handshakes, parts.journal.handshakes, notes);
  return { endedAt, removed };
}

function entryOf(
  { request: number, order, exchange, observed }: Extract<RequestLine, { request: number }>,
  { examiner, context, explanations }: EntryParts,
): Numbered<Exchange> {
  const { claims, ...text } = exchange;
  const item = exchangeIn(text as unknown as ExchangeText, context);
  if (claims) restoreClaims(item, { clientId: claims.clientId, id: claims.id });
  // Its cause and its query are shown as they are: this finds out whether they can be.
  detailOf({ number, order, item }, explanations);
  if (observed) examiner?.exchange(observationIn(observed as unknown as KeptObservation));
  return { number, order, item };
}

/** Entries are written when they end, and the journal has them in the order in which they were answered. */
function addInOrder<Item>(
  entries: Numbered<Item>[],
  ring: { add(item: Item, number: number, order: number): number },
  notes: Notes,
): void {
  let last = { number: 0, order: 0 };
  for (const { number, order, item } of entries.sort((one, other) => one.number - other.number)) {
    if (number <= last.number || order <= last.order) {
      notes.add("has the number or the place of another one, and was left out", `The entry ${number}`);
      continue;
    }
    ring.add(item, number, order);
    last = { number, order };
  }
}
