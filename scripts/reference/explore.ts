import { type ExploreFault, exploreFaults } from "../../src/explore/faults.js";
import { type State, states, stateWords } from "../../src/explore/formats/words.js";
import { type Counts, countsOf, type Verdict, verdicts } from "../../src/explore/report.js";
import { table } from "../markdown.js";

/** What explore injects, and what it says of a client. */
export const exploreTables = { "explore-faults": faults, "explore-verdicts": outcomes };

const faultPlaces: Readonly<Record<ExploreFault["at"], string>> = {
  "every-operation": "everywhere",
  token: "token",
  "with-token": "all but the token",
  page: "a page",
  "no-page": "all but pages",
  "later-page": "a page after the first",
};

function faults(): string {
  return table(
    ["fault", "where", "its rule: `then`", "a client that tries again"],
    exploreFaults.map(({ name, at, http, does, passes }) => [
      `\`${name}\``,
      http === undefined ? faultPlaces[at] : `${faultPlaces[at]}, over HTTP/${http}`,
      `\`${JSON.stringify(does)}\``,
      passes ? "comes through" : "does not",
    ]),
  );
}

/** What the states that are no verdicts count as. */
const otherCounts: Readonly<Record<Exclude<State, Verdict>, Counts>> = {
  "wrong-without-rows": "should",
  known: "said",
  "not-run": "said",
};

function outcomes(): string {
  const counts = {
    ...Object.fromEntries(verdicts.map((verdict) => [verdict, countsOf(verdict, true)])),
    ...otherCounts,
  } as Record<State, Counts>;
  return table(
    ["sign", "verdict", "the command", "counts as"],
    states.map((state) => {
      const { sign, name, means } = stateWords[state];
      return [`\`${sign}\``, name, means, counts[state]];
    }),
  );
}
