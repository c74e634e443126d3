/**
 * Lines `NAME=value`, for shells to source and for dotenv parsers to read. The two disagree about escapes, so a value
 * is written without any: bare (Docker's `--env-file` needs that, because it keeps quotes), in single quotes, or in
 * double quotes.
 */
export function environmentLines(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
}

/** The variables of a text with such lines. Other lines are left out. */
export function readEnvironment(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) variables.set(name, unquoted(value));
  }
  return variables;
}

function quoted(value: string): string {
  if (/^[A-Za-z0-9_./:@%+=,-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  if (!/["$`\\!]/.test(value)) return `"${value}"`;
  // With both kinds of quotes no form suits both readers. The shell's is used: a shell could run what it misreads.
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Bare, or in quotes; `'\''` stands for a quote within single ones. */
function unquoted(value: string): string {
  const [, quote, inner = ""] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quote === undefined) return value;
  return quote === "'" ? inner.replaceAll("'\\''", "'") : inner;
}
