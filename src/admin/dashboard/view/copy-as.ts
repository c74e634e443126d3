import { callOf } from "./call.js";
import { curlFor } from "./curl.js";
import type { ExchangeDetail } from "./data.js";
import { codeBlock, quietText, section } from "./parts.js";
import type { ProgramFacts } from "./program-facts.js";
import { languageTabs } from "./snippet-tabs.js";
import { languageOf } from "./snippets.js";
import type { Tree } from "./tree.js";

/** The request as a command or a program, one language at a time; undefined if it was not an HTTP request. */
export function copyAs(detail: ExchangeDetail, facts: ProgramFacts, chosen: string): Tree | undefined {
  const call = callOf(detail);
  if (!call) return undefined;
  const language = languageOf(chosen);
  const files = facts.certificate ? facts : { ...facts, cert: undefined, key: undefined };
  const code = language.id === "curl" ? curlFor(detail, files) : language.program(facts, call);
  const parts = [call.target, call.form ?? "", ...call.headers.map(([, value]) => value)];
  const isRedacted = parts.some((text) => /\[redacted\]|%5Bredacted%5D/.test(text));
  return section(
    "Copy as",
    languageTabs(language.id),
    code === undefined
      ? quietText(`${language.name} would change this request: use curl, Node or Python.`)
      : codeBlock(code, `the request with ${language.name}`),
    isRedacted && quietText("Secrets were removed: put them back in place of [redacted]."),
  );
}
