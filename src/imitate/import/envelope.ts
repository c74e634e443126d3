import { definedOnly, type JsonObject } from "../../base/text/json-object.js";
import type { EnvelopeSettings } from "../../sandbox/lists/settings.js";
import { besideItems, itemsNames, memberWords, plainName, rankIn, saysMore, singular, wordsOf } from "../words.js";
import { leadingHeaders } from "./leading-headers.js";
import type { ChosenName, Meaning } from "./mapping.js";
import { isLink, type Member, membersAround, membersOf, parentsOf } from "./members.js";
import type { Schema, SchemaReader } from "./schema.js";

/** An answer that has rows. */
export interface FoundEnvelope {
  readonly settings: EnvelopeSettings;
  readonly item: Schema;
  /** Most rows of a page, and of the whole list, that the answer allows. */
  readonly mostOfPage: number;
  readonly mostRows: number;
  /** Whether the answer allows no member for the cursor of the next page. */
  readonly closed: boolean;
  /** What numbers and flags about pages mean, by their paths, whether the sandbox can fill them or not. */
  readonly counters: ReadonlyMap<string, Counter>;
  /** The path of each chosen member, by its meaning. */
  readonly chosen: ReadonlyMap<Meaning, string>;
  /** Further lists of objects in the answer. */
  readonly others: readonly string[];
  /** Whether a member is about pages, or the rows have a usual name of a list. */
  readonly looksLikeList: boolean;
  /** Whether the object that has the rows has many other members. */
  readonly isPart: boolean;
  /** Whether the answer, or an object around the rows, has an identifier, and the user did not name the rows. */
  readonly isIdentified: boolean;
}

/** A number or a flag of the sandbox about the pages of a list. */
export type Counter = (typeof counters)[number];

const counters = ["has-more", "total", "count", "pages", "page", "page-size"] as const;

/**
 * Finds the rows in the schema of an answer, the members around them, and the headers that lead to the next page.
 * @param headers of the answer, as in the document
 * @param lastSegment the last literal segment of the path, which is often the name of the rows
 * @returns undefined if no member is a list of objects
 */
export function findEnvelope(
  reader: SchemaReader,
  answer: Schema,
  headers: JsonObject,
  lastSegment: string,
  chosen: ChosenName,
): FoundEnvelope | undefined {
  if (answer.type === "array") return arrayAlone(reader, answer, headers, chosen);
  const members = membersOf(reader, answer);
  const lists = members.flatMap((member) => {
    const item = member.schema.type === "array" ? reader.read(member.schema.items) : undefined;
    return item?.type === "object" ? [{ member, item, score: scoreOf(member, lastSegment) }] : [];
  });
  const mapped = chosen("items", (path) => lists.some(({ member }) => member.path === path));
  lists.sort((a, b) => b.score - a.score);
  const rows = lists.find(({ member }) => member.path === mapped) ?? lists[0];
  if (rows === undefined) return undefined;
  const around = members.filter(({ path }) => !`${path}.`.startsWith(`${rows.member.path}.`));
  const outer = objectsAround(rows.member, members, answer);
  const picked = pick(around, chosen);
  const isLed = picked.has("next-cursor") || picked.has("next-link");
  const settings = {
    ...settingsOf(reader, rows.member, around, picked, answer),
    ...(!isLed && leadingHeaders(reader, headers, chosen)),
  };
  const meanings = new Map<Meaning, string>([["items", rows.member.path]]);
  for (const [meaning, member] of picked) if (meaning !== "page-size") meanings.set(meaning, member.path);
  return {
    settings,
    item: rows.item,
    mostOfPage: Math.min(
      ...[
        rows.member.schema.maxItems,
        picked.get("page-size")?.schema.maximum,
        picked.get("count")?.schema.maximum,
      ].map((most) => most ?? Number.POSITIVE_INFINITY),
    ),
    mostRows: picked.get("total")?.schema.maximum ?? Number.POSITIVE_INFINITY,
    counters: countersOf(around, picked),
    closed: answer.closed,
    chosen: meanings,
    others: lists.filter((list) => list !== rows && list.score > -50).map(({ member }) => member.path),
    isPart: (outer[0]?.properties.size ?? 0) > fewMembers,
    isIdentified: mapped === undefined && outer.some(({ properties }) => properties.has("id")),
    // Single objects have counts and links as well.
    looksLikeList:
      mapped !== undefined || rows.score > 15 || [...picked.keys()].some((each) => !weakMeanings.has(each)),
  };
}

/** A page that is an array of objects. */
function arrayAlone(
  reader: SchemaReader,
  answer: Schema,
  headers: JsonObject,
  chosen: ChosenName,
): FoundEnvelope | undefined {
  const item = reader.read(answer.items);
  if (item?.type !== "object") return undefined;
  return {
    settings: { items: null, ...leadingHeaders(reader, headers, chosen) },
    item,
    mostOfPage: answer.maxItems ?? Number.POSITIVE_INFINITY,
    mostRows: Number.POSITIVE_INFINITY,
    counters: new Map(),
    closed: false,
    chosen: new Map([["items", "the array that is the answer"]]),
    others: [],
    looksLikeList: true,
    isPart: false,
    isIdentified: false,
  };
}

/** The chosen counters, and others of the same meaning in the same objects, which the sandbox cannot fill. */
function countersOf(members: readonly Member[], picked: Picked): ReadonlyMap<string, Counter> {
  const objects = new Set([...picked.values()].map(({ path }) => parentsOf(path).at(-1)));
  return new Map(
    members.flatMap((member) => {
      const own = counters.find((each) => picked.get(each) === member);
      const alike = counters.find((each) => fits(each, member));
      const meaning = own ?? (objects.has(parentsOf(member.path).at(-1)) ? alike : undefined);
      return meaning === undefined ? [] : [[member.path, meaning] as const];
    }),
  );
}

const weakMeanings: ReadonlySet<Meaning> = new Set(["count", "page", "pages", "next-link"]);

/** If an object has more members than this besides the rows, the rows are only a part of it. */
const fewMembers = 6;

/** The objects around the rows, the innermost first. */
function objectsAround(rows: Member, members: readonly Member[], answer: Schema): readonly Schema[] {
  const paths = parentsOf(rows.path).reverse();
  return [...paths.flatMap((above) => members.find(({ path }) => path === above)?.schema ?? []), answer];
}

function scoreOf({ name, depth }: Member, lastSegment: string): number {
  const plain = plainName(name);
  if (besideItems.includes(plain)) return -100;
  const known = itemsNames.indexOf(plain);
  const wanted = singular(plainName(lastSegment));
  const own = singular(plain);
  const alike = own === wanted ? 45 : wanted !== "" && (own.endsWith(wanted) || wanted.endsWith(own)) ? 25 : 0;
  return Math.max(alike, known < 0 ? 0 : 50 - known) - 5 * (depth - 1);
}

type Picked = ReadonlyMap<Meaning, Member>;

/** The member for each meaning. */
function pick(members: readonly Member[], chosen: ChosenName): Picked {
  const picked = new Map<Meaning, Member>();
  const free = (member: Member) => ![...picked.values()].includes(member);
  for (const meaning of ["next-cursor", "next-link", ...counters] as const) {
    // `page-size` is mapped to a parameter; the member follows its name.
    const exists = (path: string) => members.some((member) => member.path === path);
    const mapped = meaning === "page-size" ? undefined : chosen(meaning, exists);
    if (mapped === "") continue;
    const ranked = members
      .filter((member) => free(member) && fits(meaning, member))
      .map((member) => ({
        member,
        rank: (rankIn(memberWords[meaning], wordOf(meaning, member)) ?? 1000) + member.depth / 10,
      }))
      .sort((a, b) => a.rank - b.rank);
    const found = members.find(({ path }) => path === mapped) ?? ranked[0]?.member;
    if (found) picked.set(meaning, found);
  }
  return picked;
}

function fits(meaning: keyof typeof memberWords, member: Member): boolean {
  const { name, path, schema } = member;
  if (meaning === "has-more") return schema.type === "boolean" && saysMore(name);
  if (rankIn(memberWords[meaning], wordOf(meaning, member)) === undefined) return false;
  if (meaning === "page" && [schema.example, schema.default].includes(0)) return false;
  if (meaning === "next-link") return schema.type === "string" && isLink(member);
  if (meaning !== "next-cursor") return schema.type === "integer" || schema.type === "number";
  const outer = wordsOf(path.split(".").slice(0, -1).join(" "));
  if (plainName(name) === "after" && member.depth === 1) return false;
  return schema.type === "string" && !isLink(member) && !outer.some((word) => /^(prev|previous|before)/.test(word));
}

/** The word that shows the meaning of a member. In a link object (`next: { href }`), it is the name of the object. */
function wordOf(meaning: keyof typeof memberWords, { name, path }: Member): string {
  const outer = path.split(".").at(-2);
  return meaning === "next-link" && name === "href" && outer !== undefined ? outer : name;
}

function settingsOf(
  reader: SchemaReader,
  rows: Member,
  members: readonly Member[],
  picked: Picked,
  answer: Schema,
): EnvelopeSettings {
  const next = picked.get("next-cursor");
  const link = picked.get("next-link");
  const paths = [rows.path, ...[...picked.values()].map(({ path }) => path)];
  const extra = membersAround(reader, answer, { members, sent: new Set(paths) });
  return definedOnly({
    items: rows.path,
    nextCursor: next?.path,
    nextLink: link?.path,
    lastCursor: lastOf(next ?? link, members),
    hasMore: picked.get("has-more")?.path,
    total: picked.get("total")?.path,
    page: picked.get("page")?.path,
    pages: picked.get("pages")?.path,
    count: picked.get("count")?.path,
    pageSize: picked.get("page-size")?.path,
    extra: Object.keys(extra).length === 0 ? undefined : extra,
  });
}

/** How the last page says that there is no next one: by null if that is allowed, or else empty if it must be there. */
function lastOf(member: Member | undefined, members: readonly Member[]): EnvelopeSettings["lastCursor"] {
  if (member === undefined) return undefined;
  const outer = member.name === "href" ? parentsOf(member.path).at(-1) : undefined;
  if (member.schema.nullable || members.some(({ path, schema }) => path === outer && schema.nullable)) return "null";
  return member.required && outer === undefined ? "empty" : undefined;
}
