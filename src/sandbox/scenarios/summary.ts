/** The first sentence of a description: what a scenario does. */
export function firstSentence(description: string): string {
  const text = description.replaceAll(/\s+/g, " ").trim();
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}
