import { useActions } from "./actions.js";
import { CodeBlock, Quiet, Segments } from "./parts.js";
import { needsDownload, type SnippetFacts } from "./program-facts.js";
import { languageOf, languages } from "./snippets.js";

/** The snippets of a client, one language at a time. */
export function Snippets({ facts, chosen }: { facts: SnippetFacts; chosen: string }) {
  const language = languageOf(chosen);
  return (
    <div class="snippets">
      <LanguageTabs chosen={language.id} />
      {needsDownload(facts) && (
        <Quiet>The files are not in a folder: download them, and run this in the folder where you saved them.</Quiet>
      )}
      <CodeBlock text={language.snippet(facts)} what={`a token and a ping with ${language.name}`} />
    </div>
  );
}

/** The choice of a language. */
export function LanguageTabs({ chosen }: { chosen: string }) {
  const { chooseLanguage } = useActions();
  const choices = languages.map(({ id, name }) => [id, name] as const);
  return <Segments label="Language" name="language" choices={choices} chosen={chosen} choose={chooseLanguage} />;
}
