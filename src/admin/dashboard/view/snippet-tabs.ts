import { codeBlock, quietText, segments } from "./parts.js";
import { needsDownload, type SnippetFacts } from "./program-facts.js";
import { languageOf, languages } from "./snippets.js";
import { h, type Tree } from "./tree.js";

/** The snippets of a client, one language at a time. */
export function snippetTabs(facts: SnippetFacts, chosen: string): Tree {
  const language = languageOf(chosen);
  return h(
    "div",
    { class: "snippets" },
    languageTabs(language.id),
    needsDownload(facts) &&
      quietText("The files are not in a folder: download them, and run this in the folder where you saved them."),
    codeBlock(language.snippet(facts), `a token and a ping with ${language.name}`),
  );
}

/** The choice of a language. */
export function languageTabs(chosen: string): Tree {
  const choices = languages.map(({ id, name }) => [id, name] as const);
  return segments("Language", ["language", "language"], choices, chosen);
}
