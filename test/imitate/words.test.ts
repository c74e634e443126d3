import { describe, expect, it } from "vitest";
import { guessMeaning } from "../../src/imitate/import/parameters.js";
import {
  isSizeName,
  isTotalName,
  leadsToNext,
  memberWords,
  saysMore,
  usualParameters,
} from "../../src/imitate/words.js";

/** What a document says about a parameter with nothing but a name. */
const meaningOf = (name: string, schema?: object) =>
  guessMeaning({ name, schema: schema as never, description: "", required: false, at: {} })?.meaning;

describe("a parameter that is tried where no document names it means the same in a document", () => {
  it.each(usualParameters["page-size"])("%s: the size of a page", (name) => {
    expect(meaningOf(name, { type: "integer" })).toBe("page-size");
  });

  it.each(usualParameters.cursor)("%s: a cursor", (name) => {
    expect(meaningOf(name)).toBe("cursor");
  });

  it.each(usualParameters.dates)("$from, $to: the bounds of dates", ({ from, to }) => {
    const schema = { type: "string", format: "date-time", description: "" };
    expect([meaningOf(from, schema), meaningOf(to, schema)]).toEqual(["from", "to"]);
  });
});

describe("a member of an answer means the same in a document and in an answer", () => {
  it.each(memberWords["next-cursor"])("%s leads to the next page", (name) => {
    expect(leadsToNext(name)).toBe(true);
  });

  it.each(["hasMore", "has_more", "hasNextPage", "more", "moreItems", "hasmore"])(
    "%s: another page follows",
    (name) => {
      expect(saysMore(name)).toBe(true);
    },
  );

  it("sizes and totals", () => {
    expect(memberWords["page-size"].every(isSizeName)).toBe(true);
    expect(memberWords.total.filter((name) => !isTotalName(name))).toEqual([]);
    expect(["page", "next", "id"].filter((name) => isSizeName(name) || isTotalName(name) || saysMore(name))).toEqual([
      "next",
    ]);
  });
});
