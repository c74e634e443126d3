// The editor's script, which is loaded when a scenario is written, or the first text is highlighted.

export { tokensOf } from "./highlight.js";
export { ScenarioWriting } from "./scenario-writing.js";
