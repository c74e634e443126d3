/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "-").join("|")}|`, ...rows.map(line)].join("\n");
}

/**
 * Replaces the text between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`.
 * @throws Error for a name without a region
 */
export function fillRegions(page: string, path: string, regions: Readonly<Record<string, () => string>>): string {
  return page.replaceAll(
    /(<!-- generated:([\w-]+) -->\n)[\s\S]*?(<!-- \/generated:\2 -->)/g,
    (_match, open: string, name: string, close: string) => {
      const region = regions[name];
      if (!region) throw new Error(`${path} has a region "${name}" that nothing generates.`);
      return `${open}${region()}\n${close}`;
    },
  );
}
