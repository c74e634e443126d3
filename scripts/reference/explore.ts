import { type ExploreFault, exploreFaults } from "../../src/explore/faults.js";
import { type Counts, countsOf, type Verdict, verdicts } from "../../src/explore/report.js";
import { type State, states, stateWords } from "../../src/explore/words.js";

/** What explore injects, and what it says of a client. */
export const exploreTables = { "explore-faults": faults, "explore-verdicts": outcomes };

const faultPlaces: Readonly<Record<ExploreFault["at"], string>> = {
  "every-operation": "every operation",
  token: "the token",
  "with-token": "every operation but the token",
  page: "a page",
  "no-page": "every operation but pages",
  "later-page": "a page after the first",
};

function faults(): string {
  const places = new Map<string, string[]>();
  for (const { name, at, http, does, passes } of exploreFaults) {
    const place = http === undefined ? faultPlaces[at] : `${faultPlaces[at]}, over HTTP/${http}`;
    const line = `- \`${name}\`: \`${JSON.stringify(does)}\`${passes ? "" : ", no retry helps"}`;
    places.set(place, [...(places.get(place) ?? []), line]);
  }
  return [...places].map(([place, lines]) => `At ${place}:\n\n${lines.join("\n")}`).join("\n\n");
}

/** What the states that are no verdicts count as. */
const otherCounts: Readonly<Record<Exclude<State, Verdict>, Counts>> = {
  "wrong-without-rows": "should",
  "misbehaved-lightly": "should",
  known: "said",
  "not-run": "said",
};

function outcomes(): string {
  const counts = {
    ...Object.fromEntries(verdicts.map((verdict) => [verdict, countsOf(verdict)])),
    ...otherCounts,
  } as Record<State, Counts>;
  return states
    .map((state) => {
      const { sign, name, means } = stateWords[state];
      return `- \`${sign}\` **${name}** (${counts[state]}): ${means}`;
    })
    .join("\n");
}
