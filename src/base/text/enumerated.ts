/** Items as a phrase: `a`, `a and b`, `a, b and c`. */
export function enumerated(items: readonly string[], word: "and" | "or"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}
