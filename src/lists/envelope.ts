import { json } from "./json.js";
import { type EnvelopeSettings, ListSettingsError, listDefaults } from "./settings.js";

/** What an answer says: a `Page`, or a page that a fault has changed. */
export interface EnvelopeContent {
  /** JSON text of the rows, with commas between them. */
  readonly json: string;
  /** Number of the rows. */
  readonly count: number;
  readonly pageSize: number;
  /** Number of rows in the whole result, where the envelope has a member for it. */
  readonly total?: number | undefined;
}

/** The body of an answer around the rows. */
export interface Envelope {
  readonly members: EnvelopeMembers;
  /** Whether the number of rows in the whole result must be known. */
  readonly needsTotal: boolean;
  /** Whether everything but the rows is ASCII. */
  readonly ascii: boolean;
  /** How the last page says that no cursor follows. */
  readonly lastCursor: "omit" | "null";
}

export type EnvelopeMembers = ReadonlyMap<string, EnvelopeMember>;

/** A member is constant JSON text, a gap, or an object of members. */
export type EnvelopeMember = string | { readonly gap: Gap } | EnvelopeMembers;

/** A member whose value differs from page to page. */
export type Gap = "items" | "nextCursor" | "hasMore" | "pageSize" | "count" | "total";

/** The same while members are added. */
type Member = string | { readonly gap: Gap } | Map<string, Member>;

const gaps: readonly Gap[] = ["items", "nextCursor", "hasMore", "pageSize", "count", "total"];

/**
 * @param where the list, for errors: `lists.payments`
 * @throws {ListSettingsError} for two members of one name, or a member inside one that is not an object
 */
export function compileEnvelope(settings: EnvelopeSettings, where: string): Envelope {
  const path = `${where}.envelope`;
  const named = { ...listDefaults.envelope, ...definedOnly(settings) };
  const lastCursor = settings.lastCursor ?? listDefaults.envelope.lastCursor;
  const members = new Map<string, Member>();
  for (const gap of gaps) {
    const name = named[gap];
    if (name !== undefined) place(members, name, { gap }, `${path}.${gap}`);
  }
  for (const [name, value] of Object.entries(settings.extra ?? {})) {
    place(members, name, json(value, `${path}.extra.${name}`), `${path}.extra.${name}`);
  }
  const envelope = { members, lastCursor, needsTotal: named.total !== undefined };
  const empty = { json: "", count: 0, pageSize: 0 };
  return { ...envelope, ascii: isAscii(fillEnvelope({ ...envelope, ascii: true }, empty, "")) };
}

/** The path of the rows in the body of an answer. */
export function rowsPath(members: EnvelopeMembers): readonly string[] | undefined {
  for (const [name, member] of members) {
    if (typeof member === "string") continue;
    if ("gap" in member) {
      if (member.gap === "items") return [name];
      continue;
    }
    const below = rowsPath(member);
    if (below) return [name, ...below];
  }
  return undefined;
}

/** Whether a text has as many bytes in UTF-8 as characters. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function definedOnly(settings: EnvelopeSettings): EnvelopeSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function place(members: Map<string, Member>, name: string, member: Member, where: string): void {
  const names = name.split(".");
  const last = names.pop() as string;
  let parent = members;
  for (const step of names) {
    const child = parent.get(step) ?? new Map<string, Member>();
    if (!(child instanceof Map))
      throw new ListSettingsError(where, `${JSON.stringify(step)} is not an object: it has a value`);
    parent.set(step, child);
    parent = child;
  }
  if (names.includes("") || last === "") throw new ListSettingsError(where, "a member's name is empty");
  if (parent.has(last)) throw new ListSettingsError(where, `${JSON.stringify(name)} is used twice`);
  parent.set(last, member);
}

/** The body of an answer. Without `nextCursor`, the page is the last. */
export function fillEnvelope(
  { members, lastCursor }: Envelope,
  content: EnvelopeContent,
  nextCursor: string | undefined,
): string {
  const omitsCursor = nextCursor === undefined && lastCursor === "omit";
  const objectText = (object: EnvelopeMembers): string => {
    let text = "{";
    for (const [name, member] of object) {
      const isGap = typeof member === "object" && "gap" in member;
      // An object that has only the cursor stays, empty: clients that read `paging.next` look for `paging` first.
      if (omitsCursor && isGap && member.gap === "nextCursor") continue;
      if (text !== "{") text += ",";
      text += `${JSON.stringify(name)}:`;
      text +=
        typeof member === "string" ? member : isGap ? fillGap(member.gap, content, nextCursor) : objectText(member);
    }
    return `${text}}`;
  };
  return objectText(members);
}

function fillGap(gap: Gap, content: EnvelopeContent, nextCursor: string | undefined): string {
  switch (gap) {
    case "items":
      return `[${content.json}]`;
    case "nextCursor":
      return JSON.stringify(nextCursor ?? null);
    case "hasMore":
      return String(nextCursor !== undefined);
    case "pageSize":
      return String(content.pageSize);
    case "count":
      return String(content.count);
    case "total":
      return String(content.total ?? 0);
  }
}
