import { json } from "./json.js";
import { definedOnly, type EnvelopeSettings, ListSettingsError, listDefaults, together } from "./settings.js";

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

const gaps = ["items", "nextCursor", "hasMore", "pageSize", "count", "total"] as const;

/** A member whose value differs from page to page. */
export type Gap = (typeof gaps)[number];

/**
 * @param where the list, for errors: `lists.payments`
 * @throws {ListSettingsError} for two members of one name, or a member inside one that is not an object
 */
export function compileEnvelope(settings: EnvelopeSettings, where: string): Envelope {
  const path = `${where}.envelope`;
  const named = { ...listDefaults.envelope, ...definedOnly(settings) };
  const members = new Map<string, EnvelopeMember>();
  const placed = gaps.map((gap) => [named[gap], `${path}.${gap}`, () => ({ gap })] as const);
  const extra = Object.entries(settings.extra ?? {}).map(([name, value]) => {
    const where = `${path}.extra.${name}`;
    return [name, where, () => json(value, where)] as const;
  });
  together([...placed, ...extra], ([name, where, member]) => {
    if (name !== undefined) place(members, name, member(), where);
  });
  const envelope = { members, lastCursor: named.lastCursor, needsTotal: named.total !== undefined };
  const empty = { json: "", count: 0, pageSize: 0 };
  return { ...envelope, ascii: isAscii(renderEnvelope({ ...envelope, ascii: true }, empty, "")) };
}

/** The path of the rows, or of the cursor, in the body of an answer. */
export function pathIn(members: EnvelopeMembers, gap: "items" | "nextCursor"): readonly string[] | undefined {
  for (const [name, member] of members) {
    if (typeof member === "string") continue;
    if ("gap" in member) {
      if (member.gap === gap) return [name];
      continue;
    }
    const below = pathIn(member, gap);
    if (below) return [name, ...below];
  }
  return undefined;
}

/** Whether a text has as many bytes in UTF-8 as characters. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function place(members: Map<string, EnvelopeMember>, name: string, member: EnvelopeMember, where: string): void {
  const names = name.split(".");
  const last = names.pop() as string;
  let parent = members;
  for (const step of names) {
    const child = parent.get(step) ?? new Map<string, EnvelopeMember>();
    if (!(child instanceof Map))
      throw new ListSettingsError(where, `${JSON.stringify(step)} is not an object: it has a value`);
    parent.set(step, child);
    parent = child;
  }
  if (names.includes("") || last === "") throw new ListSettingsError(where, "a member's name is empty");
  if (parent.has(last)) throw new ListSettingsError(where, `${JSON.stringify(name)} is used twice`);
  parent.set(last, member);
}

/** The JSON body of an answer. Without `nextCursor`, the page is the last. `content` is a `Page`, or a page that a fault has changed. */
export function renderEnvelope(
  { members, lastCursor }: Envelope,
  content: EnvelopeContent,
  nextCursor: string | undefined,
): string {
  const values: Readonly<Record<Gap, string>> = {
    items: `[${content.json}]`,
    nextCursor: JSON.stringify(nextCursor ?? null),
    hasMore: String(nextCursor !== undefined),
    pageSize: String(content.pageSize),
    count: String(content.count),
    total: String(content.total ?? 0),
  };
  const omitsCursor = nextCursor === undefined && lastCursor === "omit";
  const objectText = (object: EnvelopeMembers): string => {
    let text = "{";
    for (const [name, member] of object) {
      const isGap = typeof member === "object" && "gap" in member;
      // An object that has only the cursor stays, empty: clients that read `paging.next` look for `paging` first.
      if (omitsCursor && isGap && member.gap === "nextCursor") continue;
      if (text !== "{") text += ",";
      text += `${JSON.stringify(name)}:`;
      text += typeof member === "string" ? member : isGap ? values[member.gap] : objectText(member);
    }
    return `${text}}`;
  };
  return objectText(members);
}
