import { settingNames } from "../../src/sandbox/config/settings.js";
import { configurationJsonSchema } from "../generate-configuration.js";
import type { JsonSchema } from "../generate-scenarios.js";
import { table } from "../markdown.js";
import { KeyLists } from "./key-list.js";

/** Keys that have their own table. */
const sections = ["journal", "tls", "clients", "lists", "assumptions"];

/** The keys of `sandbox.yaml`, except for those that are settings: they have a table of their own. */
export function configurationTables() {
  const schema = configurationJsonSchema();
  const properties = schema.properties ?? {};
  const list = (properties["lists"]?.additionalProperties ?? {}) as JsonSchema;
  const elsewhere: readonly string[] = [...sections, ...settingNames];
  const others = Object.entries(properties).filter(([key]) => !elsewhere.includes(key));
  const keys = (of: JsonSchema | undefined) => () => new KeyLists().of(of ?? {});
  return {
    "config-others": keys({ properties: Object.fromEntries(others) }),
    "config-journal": keys(properties["journal"]),
    "config-tls": keys(properties["tls"]),
    "config-clients": keys(properties["clients"]?.items),
    "config-lists": keys(list),
    "config-fields": () => fields(schema),
    "config-refusal": keys(properties["assumptions"]?.properties?.["http.not-found"]),
  };
}

/** One table of all types, with their keys. */
function fields({ definitions }: JsonSchema): string {
  const generator = Object.values(definitions as Record<string, JsonSchema>).find(({ oneOf }) => oneOf !== undefined);
  return table(
    ["type", "value", "keys"],
    (generator?.oneOf ?? []).map(({ description = "", properties = {}, required = [] }) => {
      const keys = Object.entries(properties)
        .filter(([key]) => key !== "type")
        .map(([key, { description: meaning = "" }]) => {
          return `\`${key}\`${required.includes(key) ? "" : " (optional)"}: ${meaning}`;
        });
      return [`\`${properties["type"]?.const}\``, description, keys.join(" ")];
    }),
  );
}
