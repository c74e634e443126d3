/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "-").join("|")}|`, ...rows.map(line)].join("\n");
}

/** A list of names with their meanings. */
export function meanings(rows: readonly (readonly [name: string, meaning: string])[]): string {
  return rows.map(([name, meaning]) => (meaning === "" ? `- ${name}` : `- ${name}: ${meaning}`)).join("\n");
}

/** A text as code; it may have backticks. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Texts as code, separated by commas. */
export function codes(texts: readonly string[]): string {
  return texts.map(code).join(", ");
}

/** The regions of a page: `<!-- generated:NAME -->`, up to `<!-- /generated:NAME -->`. */
const region = /(<!-- generated:([\w-]+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g;

/** The names of the regions of a page. */
export function regionsOf(page: string): readonly string[] {
  return [...page.matchAll(region)].map(([, , name = ""]) => name);
}

/**
 * Writes the regions of a page.
 * @throws Error for a region that nothing generates
 */
export function fillRegions(page: string, path: string, texts: Readonly<Record<string, () => string>>): string {
  return page.replaceAll(region, (_match, open: string, name: string, close: string) => {
    const text = texts[name];
    if (!text) throw new Error(`${path} has a region "${name}" that nothing generates.`);
    return `${open}\n${text()}\n\n${close}`;
  });
}
