/** A name in a normal form: `created_at`, `createdAt` and `Created-At` are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The words of a name: `createdAt`, `created_at` → created, at. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** The singular of an English word, good enough to compare names of lists. */
export function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
}

/** Position of a name in a list of names, the clearest first; undefined if the list does not have it. */
export function rankIn(names: readonly string[], name: string): number | undefined {
  const rank = names.indexOf(plainName(name));
  return rank < 0 ? undefined : rank;
}

/** Names of query parameters by what they mean, the clearest first. */
export const parameterWords = {
  "page-size": [
    "pagesize",
    "perpage",
    "pagelimit",
    "limit",
    "pagesizelimit",
    "maxpagesize",
    "itemsperpage",
    "resultsperpage",
    "recordsperpage",
    "maxresults",
    "maxitems",
    "maxrecords",
    "numberofitems",
    "size",
    "first",
    "take",
    "top",
    "count",
    "max",
  ],
  cursor: [
    "cursor",
    "pagecursor",
    "nextcursor",
    "aftercursor",
    "cursorafter",
    "startingafter",
    "pageafter",
    "after",
    "pagetoken",
    "nextpagetoken",
    "nexttoken",
    "continuationtoken",
    "continuationkey",
    "continuation",
    "paginationtoken",
    "paginationkey",
    "startingtoken",
    "nextpage",
    "nextpagekey",
    "pagekey",
    "pageid",
    "startafter",
    "afterid",
    "sinceid",
    "marker",
    "bookmark",
    "scrollid",
    "token",
    "next",
  ],
} as const satisfies Record<string, readonly string[]>;

/** Words that mark a parameter as the lower or the upper bound of a date. */
export const boundWords = {
  from: ["from", "since", "after", "start", "starting", "begin", "gte", "gt", "min"],
  to: ["to", "until", "till", "before", "end", "ending", "lte", "lt", "max"],
} as const;

/** Whether a word says that a parameter bounds a range. */
export function isBoundWord(word: string): boolean {
  return [...boundWords.from, ...boundWords.to].some((each) => each === word);
}

/** Words of dates, in names of parameters and fields. */
export const dateWords: ReadonlySet<string> = new Set([
  "date",
  "time",
  "datetime",
  "timestamp",
  "created",
  "creation",
  "updated",
  "booked",
  "booking",
  "posted",
  "posting",
  "modified",
  "at",
  "on",
  "day",
]);

/** Names of the date that orders rows, the clearest first. */
export const createdNames = [
  "createdat",
  "created",
  "createddate",
  "createdon",
  "createdtime",
  "createdtimestamp",
  "creationdate",
  "creationdatetime",
  "createddatetime",
  "datecreated",
  "creationtime",
  "bookedat",
  "bookingdatetime",
  "bookingdate",
  "transactiondate",
  "eventdate",
  "timestamp",
  "date",
];

/** Names of the members of an answer by what they mean, the clearest first. */
export const memberWords = {
  "next-cursor": [
    "nextcursor",
    "nextpagecursor",
    "nextpagetoken",
    "nexttoken",
    "nextstartingtoken",
    "nextpagekey",
    "nextkey",
    "continuationtoken",
    "continuationkey",
    "paginationtoken",
    "nextpage",
    "next",
    "endcursor",
    "cursor",
    "after",
    "startingafter",
    "cursorafter",
    "pagetoken",
    "marker",
  ],
  "next-link": ["nextlink", "nextpagelink", "nexturl", "nextpageurl", "nexturi", "nexthref", "nextpage", "next"],
  "has-more": [
    "hasmore",
    "hasnext",
    "hasnextpage",
    "hasmoreitems",
    "hasmoredata",
    "moreitems",
    "moreavailable",
    "more",
  ],
  total: [
    "totalcount",
    "totalitems",
    "itemstotal",
    "totalresults",
    "totalelements",
    "totalrecords",
    "totalnumber",
    "totalsize",
    "resultcount",
    "total",
  ],
  count: ["count", "numberofelements", "numberofitems", "numitems", "returned"],
  "page-size": ["pagesize", "perpage", "limit", "itemsperpage", "size"],
} as const satisfies Record<string, readonly string[]>;

/** Names of the list of rows in an answer. */
export const itemsNames = [
  "items",
  "data",
  "results",
  "records",
  "entries",
  "values",
  "content",
  "list",
  "objects",
  "elements",
  "rows",
  "resources",
  "collection",
  "result",
];

/** Lists in an answer that are not its rows. */
export const besideItems = ["errors", "warnings", "links", "link", "messages", "included", "filters", "fieldfilters"];
