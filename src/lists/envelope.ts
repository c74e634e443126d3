import { json } from "./json.js";
import { type EnvelopeSettings, ListSettingsError, listDefaults } from "./settings.js";

/** What an answer says. A `Page` is one; a fault may say something else. */
export interface EnvelopeContent {
  /** JSON text of the rows, with commas between them. */
  readonly json: string;
  /** Number of the rows. */
  readonly count: number;
  readonly pageSize: number;
  /** Number of rows in the whole result; needed only where the envelope names it. */
  readonly total?: number | undefined;
}

/** The body of an answer: constant text with gaps, once for a page with a cursor and once for one without. */
export interface Envelope {
  readonly withCursor: readonly Part[];
  readonly withoutCursor: readonly Part[];
  /** Whether the number of rows in the whole result must be known. */
  readonly needsTotal: boolean;
  /** Whether the constant text is ASCII. What fills the gaps is, but for the rows. */
  readonly ascii: boolean;
  /** The members by name, from which a description of the body is made. */
  readonly members: EnvelopeMembers;
  /** How the last page says that no cursor follows. */
  readonly lastCursor: "omit" | "null";
}

export type EnvelopeMembers = ReadonlyMap<string, EnvelopeMember>;

/** A member is constant JSON text, a gap, or an object of members. */
export type EnvelopeMember = string | { readonly gap: Gap } | EnvelopeMembers;

type Part = { readonly text: string } | { readonly gap: Gap };
export type Gap = "items" | "nextCursor" | "hasMore" | "pageSize" | "count" | "total";

/** The same while members are being added. */
type Member = string | { readonly gap: Gap } | Map<string, Member>;

const gaps: readonly Gap[] = ["items", "nextCursor", "hasMore", "pageSize", "count", "total"];

/**
 * @param where the list, for errors: `lists.payments`
 * @throws {ListSettingsError} for members that stand in each other's way
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
  const withCursor = write(members, true, lastCursor);
  const withoutCursor = write(members, false, lastCursor);
  return {
    withCursor,
    withoutCursor,
    needsTotal: named.total !== undefined,
    ascii: [...withCursor, ...withoutCursor].every((part) => !("text" in part) || isAscii(part.text)),
    members,
    lastCursor,
  };
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

function write(members: Map<string, Member>, cursor: boolean, lastCursor: "omit" | "null"): readonly Part[] {
  const parts: Part[] = [];
  let text = "";
  const writeMember = (member: Member): void => {
    if (typeof member === "string") {
      text += member;
    } else if (member instanceof Map) {
      writeObject(member);
    } else if (member.gap === "nextCursor" && !cursor) {
      text += "null";
    } else {
      parts.push({ text }, member);
      text = "";
    }
  };
  const writeObject = (object: Map<string, Member>): void => {
    text += "{";
    let separator = "";
    for (const [name, member] of object) {
      // An object that held only the cursor stays, empty: clients that read `paging.next` look for `paging` first.
      if (!cursor && lastCursor === "omit" && isCursor(member)) continue;
      text += `${separator}${JSON.stringify(name)}:`;
      separator = ",";
      writeMember(member);
    }
    text += "}";
  };
  writeObject(members);
  parts.push({ text });
  return parts;
}

function isCursor(member: Member): boolean {
  return typeof member === "object" && !(member instanceof Map) && member.gap === "nextCursor";
}

/** The body of an answer. `nextCursor` absent: the last page. */
export function fillEnvelope(envelope: Envelope, content: EnvelopeContent, nextCursor: string | undefined): string {
  let text = "";
  for (const part of nextCursor === undefined ? envelope.withoutCursor : envelope.withCursor) {
    text += "text" in part ? part.text : fillGap(part.gap, content, nextCursor);
  }
  return text;
}

function fillGap(gap: Gap, content: EnvelopeContent, nextCursor: string | undefined): string {
  switch (gap) {
    case "items":
      return `[${content.json}]`;
    case "nextCursor":
      return JSON.stringify(nextCursor);
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
