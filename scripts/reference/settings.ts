import {
  type AssumptionId,
  assumption,
  assumptionIds,
  configurationKey,
  subjectOf,
} from "../../src/sandbox/assumptions.js";
import { describeSetting, settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { publicHeaders, secretNames, secretPlaces } from "../../src/sandbox/journal/secret-names.js";
import { codes, table } from "../markdown.js";

/** What can be set, and what is kept secret. */
export const settingTables = { settings, assumptions, secrets };

function settings(): string {
  return table(
    ["flag, variable, key", "default", "what it does"],
    settingNames.map((name) => {
      const { flag, variable, key, shownDefault } = settingFacts(name);
      return [codes([flag, variable, ...(key === null ? [] : [key])]), shownDefault, describeSetting(name)];
    }),
  );
}

function assumptions(): string {
  return assumptionIds
    .map((id) => {
      const { section, choice, named } = assumption(id);
      const names = named === undefined ? "" : named === "no answer" ? " Named nowhere." : ` Named in ${named}.`;
      return `- \`${id}\` (${[...settingOf(id), `§${section}`].join("; ")}), ${subjectOf(id)}: ${choice}.${names}`;
    })
    .join("\n");
}

/** The default of a value; what else changes it. Nothing for a refusal. */
function settingOf(id: AssumptionId): readonly string[] {
  const entry = assumption(id);
  const key = configurationKey(id);
  if (key === null) return ["fixed"];
  if ("value" in entry) return [`\`${JSON.stringify(entry.value)}\``];
  return "error" in entry ? [] : [`key \`${key}\``];
}

function secrets(): string {
  return table(
    ["names", "", "where"],
    [
      ...secretNames.map(({ names, asEnding, places }) => [
        codes(names),
        asEnding ? "at the end of a name" : "the whole name",
        places.map((place) => secretPlaces[place]).join(", "),
      ]),
      [`not ${codes(publicHeaders)}`, "the whole name", secretPlaces.header],
    ],
  );
}
