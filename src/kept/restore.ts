import { join } from "node:path";
import { unreadableBecause } from "../base/files/regular-file.js";
import { objectIn } from "../base/text/json-object.js";
import { longestName, printable } from "../base/text/printable.js";
import type { Examiner } from "../exam/examiner.js";
import { observeHandshake } from "../exam/observe/handshake.js";
import type { ConnectionFacts, SentGoaway } from "../sandbox/connection/connection-facts.js";
import { restoreClaims } from "../sandbox/journal/claimed-clients.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { type ExchangeText, exchangeIn, type ReadingContext } from "../sandbox/journal/exchange-text.js";
import { explain } from "../sandbox/journal/explain.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import type { Journal } from "../sandbox/journal/journal.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";
import { detailOf } from "../sandbox/journal/view.js";
import { certificateFacts } from "../sandbox/pki/certificate-facts.js";
import { type KeptObservation, observationIn } from "./exchange-line.js";
import { runFiles } from "./format.js";
import type { Of } from "./forms.js";
import { type Line, readLines } from "./lines.js";
import {
  isClientLine,
  isConnectionLine,
  isHandshakeLine,
  isHeadLine,
  isIdentitiesLine,
  isObservedLine,
  isRequestLine,
  isResetLine,
  isSandboxLine,
  isScenarioLine,
  observedBeginning,
  requestBeginning,
} from "./lines-of-run.js";
import { Notes } from "./notes.js";
import { type KeptRun, requestFilesOf } from "./runs.js";
import type { ClientLine, SandboxState, ShownIdentity, ShownParts } from "./state-lines.js";

/**
 * Reads the objects of a file, line by line.
 * @param isSkipped by its text: most of the time goes into reading what is then not used
 * @param take returns false for a line that cannot be used, and may throw
 */
async function readObjects(
  path: string,
  file: string,
  { notes, isSkipped }: { readonly notes: Notes; readonly isSkipped?: (text: string) => boolean },
  take: (value: object) => boolean,
): Promise<void> {
  const read = ({ number, text, isCut }: Line) => {
    if (text !== undefined && isSkipped?.(text)) return;
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
  // The last line about a thing is true.
  const clients = new Map<string, ClientLine>();
  const scenarios = new Map<string, string>();
  let standing: readonly ShownIdentity[] = [];
  let sandbox: SandboxState | undefined;
  await readObjects(join(folder, runFiles.state), runFiles.state, { notes }, (line) => {
    if (isClientLine(line)) clients.set(line.client, line as ClientLine);
    else if (isScenarioLine(line)) scenarios.set(line.scenario, line.text);
    else if (isSandboxLine(line)) sandbox = line.sandbox;
    else if (isIdentitiesLine(line)) standing = line.identities as readonly ShownIdentity[];
    else return false;
    return true;
  });
  const { library } = parts.scenarios;
  if (scenarios.size > 0) await library.read();
  for (const [name, text] of scenarios) {
    if (library.get(name)?.text === text) continue;
    try {
      library.keep(await library.compile(name, text));
    } catch {
      notes.add("is not one that this release can show", `The scenario ${name}`);
    }
  }
  parts.clients.put(new Map([...clients].map(([id, { record }]) => [id, { client: record, formerly: [] }])));
  for (const identity of standing) {
    // The page shows its dates.
    if (isCertificate(identity.certPem)) parts.identities.add({ ...identity, keyPem: "" });
    else notes.add("is not one that can be shown", `The certificate of ${printable(identity.name, longestName)}`);
  }
  for (const { client: id, clock, scenario, expected = [], identities = [] } of clients.values()) {
    const client = parts.clients.get(id);
    if (client === undefined) continue;
    if (clock) client.clock.restore(clock);
    client.scenario.active = scenario;
    client.expected = expected;
    for (const identity of identities) parts.identities.add({ ...identity, keyPem: "" });
  }
  if (sandbox === undefined) return;
  parts.clock.restore(sandbox.clock);
  parts.scenarios.forAll.choose(sandbox.scenario);
}

function isCertificate(pem: string): boolean {
  try {
    return certificateFacts(pem) !== undefined;
  } catch {
    return false;
  }
}

/** What the entries of a run are read into. */
export interface EntryParts {
  readonly journal: Journal;
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

/** Reads the requests and handshakes of a run into a journal. */
export async function restoreEntries(run: KeptRun, parts: EntryParts, notes: Notes): Promise<ReadRun> {
  const requests: JournalEntry<Exchange>[] = [];
  const handshakes: JournalEntry<HandshakeRecord>[] = [];
  const ends = new Map<number, Pick<ConnectionFacts, "end" | "goaway">>();
  let endedAt: number | undefined;
  let removed: number | undefined;
  const isSkipped = (text: string) => text.startsWith(observedBeginning);
  await readRequests(run, notes, isSkipped, (line) => {
    if (isRequestLine(line)) {
      const entry = entryOf(line, parts);
      requests.push(entry);
      endedAt = Math.max(endedAt ?? 0, Math.ceil(entry.item.receivedAt + entry.item.duration));
    } else if (isHandshakeLine(line)) {
      handshakes.push({ number: line.handshake, order: line.order, item: line.record as HandshakeRecord });
      endedAt = Math.max(endedAt ?? 0, line.record.at);
    } else if (isConnectionLine(line)) ends.set(line.connection, { end: line.end, goaway: line.goaway as SentGoaway });
    else if (isHeadLine(line)) removed ??= line.before.requests + line.before.handshakes;
    else return isResetLine(line);
    return true;
  });
  for (const { item } of requests) {
    const end = item.connection && ends.get(item.connection.id);
    if (end) item.endedElsewhere(item.ending, end);
  }
  addInOrder(requests, parts.journal.requests, notes);
  addInOrder(handshakes, parts.journal.handshakes, notes);
  return { endedAt, removed: removed ?? 0 };
}

/** Tells the judges of a run, in the order in which it happened. What cannot be read is left out: the page says so. */
export async function restoreReport(run: KeptRun, examiner: Examiner): Promise<void> {
  const isSkipped = (text: string) => text.startsWith(requestBeginning);
  await readRequests(run, new Notes(), isSkipped, (line) => {
    if (isObservedLine(line)) examiner.exchange(observationIn(line.observed as unknown as KeptObservation));
    else if (isHandshakeLine(line))
      examiner.handshake(observeHandshake(line.record as HandshakeRecord, line.handshake));
    else if (isResetLine(line)) examiner.reset(line.reset ?? undefined);
    return true;
  });
}

async function readRequests(
  { folder }: KeptRun,
  notes: Notes,
  isSkipped: (text: string) => boolean,
  take: (line: object) => boolean,
): Promise<void> {
  for (const number of await requestFilesOf(folder)) {
    const file = runFiles.requests(number);
    await readObjects(join(folder, file), file, { notes, isSkipped }, take);
  }
}

function entryOf(
  { request: number, order, exchange: { claims, ...text } }: Of<typeof isRequestLine>,
  { context, explanations }: EntryParts,
): JournalEntry<Exchange> {
  const item = exchangeIn(text as unknown as ExchangeText, context);
  const entry = { number, order, item };
  if (claims) restoreClaims(item, claims);
  // The facts of a cause are not looked into: this finds out whether they can be shown.
  if (item.refusal) detailOf(entry, explanations);
  else explain(item, explanations);
  return entry;
}

/** Entries are written when they end, and the journal has them in the order in which they were answered. */
function addInOrder<Item>(
  entries: JournalEntry<Item>[],
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
