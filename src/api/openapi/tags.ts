/** What the operations are grouped by, in the order of the document, and what each group is. */
export const tags = {
  token: "OAuth 2.0 access tokens over mutual TLS (§4.1).",
  ping: "The connectivity check (§4.2).",
  lists: "Lists, a page at a time (§7, §8). The lists themselves are synthetic.",
} as const;

export type Tag = keyof typeof tags;
