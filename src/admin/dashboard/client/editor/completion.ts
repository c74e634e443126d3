import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type JsonSchema, schemaChoices } from "../../view/schema-choices.js";
import { yamlPlace } from "../../view/yaml-place.js";

/** Proposes what a schema allows at the cursor. */
export function completionsOf(schema: JsonSchema): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const place = yamlPlace(state.sliceDoc(0, pos));
    if (!place || (!explicit && place.typed === "" && place.kind === "key")) return null;
    const options = schemaChoices(schema, place).map(
      ({ label, kind, detail }): Completion => ({
        label,
        ...(kind === "key" && { apply: `${label}: ` }),
        ...(detail !== undefined && { info: detail }),
      }),
    );
    return options.length === 0 ? null : { from: pos - place.typed.length, options, validFor: /^[\w$.-]*$/ };
  };
}
