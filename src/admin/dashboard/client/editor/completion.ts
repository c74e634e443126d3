import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import schema from "../../../../../scenarios/scenario.schema.json" with { type: "json" };
import { type JsonSchema, schemaChoices } from "../../view/schema-choices.js";
import { yamlPlace } from "../../view/yaml-place.js";

/** Proposes what the published schema of scenarios allows where somebody types. */
export function completeScenario({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const place = yamlPlace(state.sliceDoc(0, pos));
  if (!place || (!explicit && place.typed === "" && place.kind === "key")) return null;
  const options = schemaChoices(schema as JsonSchema, place).map(
    ({ label, kind, detail }): Completion => ({
      label,
      ...(kind === "key" && { apply: `${label}: ` }),
      ...(detail !== undefined && { info: detail }),
    }),
  );
  return options.length === 0 ? null : { from: pos - place.typed.length, options, validFor: /^[\w$.-]*$/ };
}
