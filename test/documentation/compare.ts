/**
 * What differs from one run to the next, and its replacement. Everything else must be printed as a document shows it.
 */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<instant>"],
  [/(?<=^Date: ).*$/gim, "<date>"],
  [/^\d\d:\d\d:\d\d(?= {2})/gm, "<time>"],
  [/(?<=^X-Correlation-ID: )[\da-f-]{36}$/gim, "<uuid>"],
  [/(?<=;seed=|"seed":")[\da-f]{12}/g, "<seed>"],
  [/(?<="nextCursor":"|[?&]cursor=)[\w-]+…?/g, "<cursor>"],
  [/(?<="thumbprint":")[\w-]{43}/g, "<thumbprint>"],
  [/client-[\da-f]{8}-[\da-f]{4}/g, "<client>"],
];

/** A text in which everything that differs between runs is replaced by a name. */
export function masked(text: string): string {
  return masks.reduce(
    (before, [pattern, name]) => before.replaceAll(pattern, name),
    text.replaceAll("\r", "").replaceAll(/ +$/gm, "").trimEnd(),
  );
}

/**
 * Whether a document shows what was printed. `…` means the rest of a word or a text; alone on a line, it means any
 * lines.
 * @param whole false if more may be printed before and after it
 */
export function shows(shown: string, printed: string, whole = true): boolean {
  const pattern = masked(shown)
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(escaped).join('[^"\n]*')}\n`))
    .join("");
  return new RegExp(whole ? `^${pattern}$` : `^${pattern}`, whole ? "" : "m").test(`${masked(printed)}\n`);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
