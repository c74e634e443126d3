import { definedOnly } from "../../base/text/json-object.js";
import { listDefaults } from "./defaults.js";

const gaps = ["items", "nextCursor", "nextLink", "hasMore", "pageSize", "count", "total", "page", "pages"] as const;

/** A member of an envelope whose value differs from page to page. */
export type Gap = (typeof gaps)[number];

/** The settings of an envelope that name members. */
type Names = { readonly [Name in Gap]?: string | null | undefined } & {
  readonly linkHeader?: boolean | undefined;
  readonly cursorHeader?: string | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
};

interface NamedMember {
  /** Dotted, if it is nested. */
  readonly name: string;
  /** Of the setting that names it, in those of the envelope. */
  readonly place: readonly string[];
  readonly content: { readonly gap: Gap } | { readonly value: unknown };
}

/**
 * The members of an envelope, by their names, in the order in which they are placed. A page that is an array alone has
 * none of its own.
 */
export function namedMembers(settings: Names): readonly NamedMember[] {
  const named: Names = {
    nextCursor: hasNextCursor(settings) ? "nextCursor" : null,
    ...listDefaults.envelope,
    ...definedOnly(settings),
  };
  const placed = gaps.flatMap((gap) => {
    const name = named[gap];
    return name == null ? [] : [{ name, place: [gap], content: { gap } }];
  });
  const extra = Object.entries(settings.extra ?? {});
  return [...placed, ...extra.map(([name, value]) => ({ name, place: ["extra", name], content: { value } }))];
}

/** Whether the body has the cursor of the next page, unless `nextCursor` says otherwise. */
export function hasNextCursor(settings: Names): boolean {
  return settings.items !== null && settings.cursorHeader === undefined && !hasLink(settings);
}

/** Whether the URL of the next page is sent. */
export function hasLink({ nextLink, linkHeader = false }: Names): boolean {
  return nextLink != null || linkHeader;
}
