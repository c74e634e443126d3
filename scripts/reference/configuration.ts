import { settingFacts, settingNames } from "../../src/sandbox/config/settings.js";
import { configurationJsonSchema } from "../generate-configuration.js";
import type { JsonSchema } from "../generate-scenarios.js";
import { isEvident, KeyLists } from "./key-list.js";

/** Keys that have their own table. */
const sections = ["journal", "tls", "clients", "lists", "assumptions"];

/** The keys of `sandbox.yaml`, except for those that are settings: they have a table of their own. */
export function configurationTables() {
  const schema = configurationJsonSchema();
  const properties = schema.properties ?? {};
  const list = (properties["lists"]?.additionalProperties ?? {}) as JsonSchema;
  const elsewhere: readonly string[] = [...sections, ...settingNames];
  const others = Object.entries(properties).filter(([key]) => !elsewhere.includes(key));
  const keys = (of: JsonSchema | undefined) => () => new KeyLists(true).of(of ?? {});
  // Those that are settings are in the table of settings.
  const ofSettings: readonly (string | null)[] = settingNames.map((name) => settingFacts(name).key);
  const tls = Object.fromEntries(
    Object.entries(properties["tls"]?.properties ?? {}).filter(([key]) => !ofSettings.includes(`tls.${key}`)),
  );
  return {
    "config-others": keys({ properties: Object.fromEntries(others) }),
    "config-journal": keys(properties["journal"]),
    "config-tls": keys({ properties: tls }),
    "config-clients": keys(properties["clients"]?.items),
    "config-lists": keys(list),
    "config-fields": () => fields(schema),
    "config-refusal": keys(properties["assumptions"]?.properties?.["http.not-found"]),
  };
}

/** All types, with their keys. */
function fields({ definitions }: JsonSchema): string {
  const generator = Object.values(definitions as Record<string, JsonSchema>).find(({ oneOf }) => oneOf !== undefined);
  return (generator?.oneOf ?? [])
    .map(({ description = "", properties = {}, required = [] }) => {
      const keys = Object.entries(properties).filter(([key]) => key !== "type");
      const shown = ([key]: (typeof keys)[number]) => `\`${key}\`${required.includes(key) ? "" : "?"}`;
      const evident = keys.filter(([, { description: meaning = "" }]) => isEvident(meaning)).map(shown);
      const head = `- \`${properties["type"]?.const}\`${evident.length === 0 ? "" : ` (${evident.join(", ")})`}`;
      const others = keys.filter(([, { description: meaning = "" }]) => !isEvident(meaning));
      return [
        description === "" ? head : `${head}: ${description}`,
        ...others.map((key) => `  - ${shown(key)}: ${key[1].description}`),
      ].join("\n");
    })
    .join("\n");
}
