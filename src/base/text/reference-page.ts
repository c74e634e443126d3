import { escapeMarkup } from "./markup.js";

/** A page of reference, before it is Markdown or HTML. Texts may have code in backticks. */
export interface ReferencePage {
  /** An error code, or the id of a check. */
  readonly title: string;
  readonly sections: readonly Section[];
}

interface Section {
  /** Undefined for the first one. */
  readonly heading?: string;
  /** A paragraph, or the points of a list. */
  readonly text?: string | readonly string[];
  /** Commands for a shell. */
  readonly code?: string | undefined;
}

/** The page as a file of the documentation. */
export function markdownOf({ title, sections }: ReferencePage): string {
  const parts = sections.flatMap(({ heading, text, code }) => [
    heading === undefined ? undefined : `## ${heading}`,
    typeof text === "string" ? text : text?.map((point) => `- ${point}`).join("\n"),
    code === undefined ? undefined : `\`\`\`sh\n${code}\n\`\`\``,
  ]);
  return `${[`# ${title}`, ...parts].filter(Boolean).join("\n\n")}\n`;
}

/**
 * The page for a browser: one document, without scripts and without anything from the network. Its lines wrap on a small
 * screen.
 */
export function htmlOf({ title, sections }: ReferencePage): string {
  const inline = (text: string) => escapeMarkup(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
  const parts = sections.flatMap(({ heading, text, code }) => [
    heading === undefined ? "" : `<h2>${inline(heading)}</h2>`,
    typeof text === "string" ? `<p>${inline(text)}</p>` : "",
    Array.isArray(text) ? `<ul>${text.map((point) => `<li>${inline(point)}</li>`).join("")}</ul>` : "",
    code === undefined ? "" : `<pre><code>${escapeMarkup(code)}</code></pre>`,
  ]);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeMarkup(title)}</title>
<style>body { overflow-wrap: anywhere } pre { white-space: pre-wrap }</style>
<h1>${escapeMarkup(title)}</h1>
${parts.filter(Boolean).join("\n")}
</html>
`;
}
