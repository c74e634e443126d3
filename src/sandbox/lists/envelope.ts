import { listDefaults } from "./defaults.js";
import { type Gap, hasLink, namedMembers } from "./envelope-members.js";
import type { EnvelopeSettings } from "./settings.js";

/** What an answer says: a `Page`, or a page that a fault has changed. */
export interface EnvelopeContent {
  /** JSON text of the rows, with commas between them. */
  readonly json: string;
  /** Number of the rows. */
  readonly count: number;
  readonly pageSize: number;
  /** Number of this page in its walk, from 1. */
  readonly page: number;
  /** Number of rows in the whole result, where the envelope has a member for it. */
  readonly total?: number | undefined;
}

/** How a page is written: its body around the rows, and headers that lead to the next page. */
export interface Envelope {
  /** An object, or the rows alone. */
  readonly body: EnvelopeMember;
  /** Whether the number of rows in the whole result must be known. */
  readonly needsTotal: boolean;
  /** How the last page says that no cursor or link follows. */
  readonly lastCursor: "omit" | "null" | "empty";
  /** Where the URL of the next page is sent, and how it is written; undefined where it is not sent. */
  readonly link: { readonly inHeader: boolean; readonly form: "url" | "path" } | undefined;
  /** The header with the cursor of the next page; undefined if it is not sent as a header. */
  readonly cursorHeader: string | undefined;
}

type EnvelopeMembers = ReadonlyMap<string, EnvelopeMember>;

/** A member is constant JSON text, a gap, or an object of members. */
export type EnvelopeMember = string | { readonly gap: Gap } | EnvelopeMembers;

export function compileEnvelope(settings: EnvelopeSettings): Envelope {
  const members = new Map<string, EnvelopeMember>();
  for (const { name, content } of namedMembers(settings))
    place(members, name.split("."), "gap" in content ? content : JSON.stringify(content.value));
  const {
    lastCursor = listDefaults.envelope.lastCursor,
    linkHeader = false,
    linkForm = "url",
    total,
    pages,
    cursorHeader,
  } = settings;
  const link = hasLink(settings) ? { inHeader: linkHeader, form: linkForm } : undefined;
  const body = settings.items === null ? { gap: "items" as const } : members;
  return { body, lastCursor, needsTotal: (total ?? pages) !== undefined, link, cursorHeader };
}

/** The path of the rows, of the cursor or of the link, in the body of an answer; empty if the rows are the body. */
export function pathIn(body: EnvelopeMember, gap: "items" | "nextCursor" | "nextLink"): readonly string[] | undefined {
  if (isGap(body, gap)) return [];
  for (const [name, member] of body instanceof Map ? (body as EnvelopeMembers) : []) {
    const below = pathIn(member, gap);
    if (below) return [name, ...below];
  }
  return undefined;
}

/** The headers of an answer that lead to the next page (`Link`: RFC 8288 §3); undefined on the last page. */
export function leadingHeaders(
  { cursorHeader, link }: Envelope,
  nextCursor: string | undefined,
  nextLink: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (nextCursor === undefined || (cursorHeader === undefined && !link?.inHeader)) return undefined;
  return {
    ...(cursorHeader !== undefined && { [cursorHeader]: nextCursor }),
    ...(link?.inHeader && { Link: `<${nextLink}>; rel="next"` }),
  };
}

function place(members: Map<string, EnvelopeMember>, [name = "", ...inside]: string[], member: EnvelopeMember): void {
  if (inside.length === 0) {
    members.set(name, member);
    return;
  }
  const object = members.get(name) ?? new Map<string, EnvelopeMember>();
  members.set(name, object);
  if (object instanceof Map) place(object, inside, member);
}

/**
 * The JSON body of an answer. `content` is a `Page`, or a page that a fault has changed.
 * @param nextCursor undefined on the last page
 * @param nextLink the URL of the next page, where the envelope has a place for it
 */
export function renderEnvelope(
  { body, lastCursor }: Envelope,
  content: EnvelopeContent,
  nextCursor: string | undefined,
  nextLink?: string,
): string {
  const isLast = nextCursor === undefined;
  const gapText = (gap: Gap): string => {
    switch (gap) {
      case "items":
        return `[${content.json}]`;
      case "nextCursor":
        return JSON.stringify(nextCursor ?? null);
      case "nextLink":
        return JSON.stringify(nextLink ?? null);
      case "hasMore":
        return String(!isLast);
      case "pageSize":
        return String(content.pageSize);
      case "count":
        return String(content.count);
      case "total":
        return String(content.total ?? 0);
      case "page":
        return String(content.page);
      case "pages":
        return String(Math.ceil((content.total ?? 0) / content.pageSize));
    }
  };
  const objectText = (object: EnvelopeMembers): string => {
    let text = "{";
    for (const [name, member] of object) {
      // An object around a cursor is sent even if it is empty: clients that read `paging.next` look for `paging` first.
      const ends = isLast && leadsOn(member);
      if (ends && lastCursor === "omit") continue;
      if (text !== "{") text += ",";
      text += `${JSON.stringify(name)}:${ends ? endText(member) : valueText(member)}`;
    }
    return `${text}}`;
  };
  const endText = (member: EnvelopeMember) => (lastCursor === "empty" && !(member instanceof Map) ? '""' : "null");
  const valueText = (member: EnvelopeMember) => {
    if (typeof member === "string") return member;
    return "gap" in member ? gapText(member.gap) : objectText(member);
  };
  return valueText(body);
}

/** Whether a member leads to the next page: the cursor, the link, or a link object such as `{"href":"…"}`. */
export function leadsOn(member: EnvelopeMember): boolean {
  const href = member instanceof Map ? member.get("href") : undefined;
  return isGap(member, "nextCursor") || isGap(member, "nextLink") || isGap(href, "nextLink");
}

function isGap(member: EnvelopeMember | undefined, gap: Gap): boolean {
  return typeof member === "object" && "gap" in member && member.gap === gap;
}
