const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as content or attribute of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}
