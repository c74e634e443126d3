// What names mean in the services that are imitated, in their documents (`import/`) and their answers (`calibrate/`).
import { headerNamePattern, headersInUse } from "../sandbox/connection/header-names.js";

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

/** The words of a text, which has at least one. */
function words(text: string): readonly [string, ...string[]] {
  return text.trim().split(/\s+/) as [string, ...string[]];
}

/** Names of query parameters by what they mean, the clearest first. */
export const parameterWords = {
  "page-size": words(`
    pagesize perpage pagelimit limit pagesizelimit maxpagesize itemsperpage resultsperpage
    recordsperpage maxresults maxitems maxrecords numberofitems size first take top count max
  `),
  cursor: words(`
    cursor pagecursor nextcursor aftercursor cursorafter startingafter pageafter after pagetoken
    nextpagetoken nexttoken continuationtoken continuationkey continuation paginationtoken paginationkey
    startingtoken nextpage nextpagekey pagekey pageid startafter afterid sinceid marker bookmark
    scrollid token next
  `),
} as const satisfies Record<string, readonly string[]>;

/**
 * Parameters as services spell them, in the order in which they are tried where no document names them; the names of
 * the interface come first. Each has the meaning that its name has in a document.
 */
export const usualParameters = {
  "page-size": words("pageSize limit page_size per_page perPage size count first take _limit"),
  cursor: ["cursor", "after", "pageToken", "page_token", "starting_after", "next", "token"],
  dates: [
    { from: "fromCreatedAt", to: "toCreatedAt" },
    { from: "from", to: "to" },
    { from: "createdFrom", to: "createdTo" },
    { from: "created_after", to: "created_before" },
    { from: "createdAfter", to: "createdBefore" },
    { from: "since", to: "until" },
    { from: "startDate", to: "endDate" },
    { from: "dateFrom", to: "dateTo" },
    { from: "fromDate", to: "toDate" },
    { from: "start", to: "end" },
  ],
} as const;

/** Words that mark a parameter as the lower or the upper bound of a date. */
export const boundWords = {
  from: words("from since after start starting begin gte gt min"),
  to: words("to until till before end ending lte lt max"),
} as const;

/** Whether a word says that a parameter bounds a range. */
export function isBoundWord(word: string): boolean {
  return [...boundWords.from, ...boundWords.to].some((each) => each === word);
}

/** Words of dates, in names of parameters and fields. */
export const dateWords: ReadonlySet<string> = new Set(
  words(`
    date time datetime timestamp created creation updated booked booking posted posting modified at on
    day
  `),
);

/** Names of the date that orders rows, the clearest first. */
export const createdNames = words(`
    createdat created createddate createdon createdtime createdtimestamp creationdate creationdatetime
    createddatetime datecreated creationtime bookedat bookingdatetime bookingdate transactiondate
    eventdate timestamp date
  `);

/** Names of the members of an answer by what they mean, the clearest first. */
export const memberWords = {
  "next-cursor": words(`
    nextcursor nextpagecursor nextpagetoken nexttoken nextstartingtoken nextpagekey nextkey
    continuationtoken continuationkey paginationtoken nextpage next endcursor cursor after aftercursor
    startingafter cursorafter pagetoken marker
  `),
  "next-link": words("nextlink nextpagelink nexturl nextpageurl nexturi nexthref nextpage next"),
  "has-more": words("hasmore hasnext hasnextpage hasmoreitems hasmoredata moreitems moreavailable more"),
  total: words(`
    totalcount totalitems itemstotal totalresults totalelements totalrecords totalnumber totalsize
    resultcount total
  `),
  count: ["count", "numberofelements", "numberofitems", "numitems", "returned"],
  pages: words(`
    totalpages pagecount pagescount totalpagecount numberofpages numpages pagestotal maxpage lastpage pages
  `),
  page: words("page currentpage pagenumber currentpagenumber pageno pagenum"),
  "page-size": ["pagesize", "perpage", "limit", "itemsperpage", "size"],
} as const satisfies Record<string, readonly string[]>;

/** Whether a list of the sandbox can send its cursor in a header of this name. */
export function isUsableHeader(name: string): boolean {
  return headerNamePattern.test(name) && !headersInUse.has(name.toLowerCase());
}

/** Of some headers, the one that has the cursor of the next page most clearly, by its name; undefined if none says so. */
export function clearestCursorHeader(names: readonly string[]): string | undefined {
  const ranked = names.flatMap((name) => {
    const rank = cursorHeaderRank(name);
    return rank === undefined ? [] : [{ name, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank)[0]?.name;
}

/**
 * How clearly a header has the cursor of the next page, by its name: `X-After-Cursor`, `Acme-Next-Page-Token`. A
 * smaller rank is clearer; undefined if it does not say so. `After` counts only without words before it, because
 * `Retry-After` ends with it, too.
 */
function cursorHeaderRank(name: string): number | undefined {
  const words = wordsOf(name).filter((word, index) => word !== "x" || index > 0);
  for (const index of words.keys()) {
    const rest = words.slice(index).join("");
    const rank = index > 0 && rest === "after" ? undefined : rankIn(memberWords["next-cursor"], rest);
    if (rank !== undefined) return rank;
  }
  return undefined;
}

/** Names of the list of rows in an answer. */
export const itemsNames = words(`
    items data results records entries values content list objects elements rows resources collection
    result
  `);

/** Names of the members that identify a row. */
const identifierNames = words("id uuid guid sid");

/**
 * Whether a member identifies the rows of a list by its name: `id`, and `paymentId` in `payments`.
 * @param list the name of the list, or nothing
 */
export function identifiesRow(name: string, list: string): boolean {
  const plain = plainName(name);
  const row = singular(plainName(list));
  return identifierNames.some((each) => plain === each || (row !== "" && plain === `${row}${each}`));
}

const rowItself = words("data attributes node resource item object record entity");

/** Whether an object in a row is the row itself, by its name: `data`, or `payment` in `payments`. */
export function isRowItself(name: string, list: string): boolean {
  const plain = plainName(name);
  return !name.includes(".") && (rowItself.includes(plain) || plain === singular(plainName(list)));
}

/** Lists in an answer that are not its rows. */
export const besideItems = words("errors warnings links link messages included filters fieldfilters");

/** Whether a member, or the object of a link, leads to the next page by its name. */
export function leadsToNext(name: string): boolean {
  return /cursor|next|after|continu|token|marker|bookmark/i.test(name) && !isAboutPages(name);
}

/** Whether a member says something else about pages: other pages, flags, sizes. */
export function isAboutPages(name: string): boolean {
  return /prev|before|self|first|last|has|more|total|count|size|limit/i.test(name);
}

/** Whether a number or a flag is about the pages of a list, by its name. */
export function countsPages(name: string): boolean {
  return wordsOf(name).some((word) => pageWords.includes(word));
}

const pageWords = words(`
  page pages offset skip start first last empty more next previous prev total count number index size limit remaining
`);

/** Whether a flag says, by its name, that another page follows. */
export function saysMore(name: string): boolean {
  const words = wordsOf(name);
  return words.includes("more") || words.includes("next") || /^has(more|next)/.test(words.join(""));
}

/** Whether a number is the size of the page, by its name. */
export function isSizeName(name: string): boolean {
  return /size|limit|per/i.test(name);
}

/** Whether a number counts the rows of all pages, by its name. */
export function isTotalName(name: string): boolean {
  return /total|count|size|length/i.test(name);
}

/** A path without the names of its parameters, for comparison. */
export function unnamedPath(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}
