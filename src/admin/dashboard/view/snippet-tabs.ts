import { codeBlock, segments } from "./parts.js";
import type { SnippetFacts } from "./program-facts.js";
import { languages } from "./snippets.js";
import { h, type Tree } from "./tree.js";

/** The snippets of a client, one language at a time. */
export function snippetTabs(facts: SnippetFacts, chosen: string): Tree {
  const language = languages.find(({ id }) => id === chosen) ?? languages[0];
  return h(
    "div",
    { class: "snippets" },
    languageTabs(language?.id),
    !/^(\/|[A-Za-z]:|\\\\)/.test(facts.ca) &&
      h(
        "p",
        { class: "quiet" },
        "The files are not in a folder: download them, and run this in the folder where you saved them.",
      ),
    language && codeBlock(language.snippet(facts), `a token and a ping with ${language.name}`),
  );
}

/** The choice of a language. */
export function languageTabs(chosen: string | undefined): Tree {
  const choices = languages.map(({ id, name }) => [id, name] as const);
  return segments("Language", ["language", "language"], choices, chosen);
}
