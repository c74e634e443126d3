/** The groups of operations, in the order of the document, each with its description. */
export const tags = {
  token: "OAuth 2.0 access tokens over mutual TLS (§4.1).",
  ping: "The connectivity check (§4.2).",
  lists: "Lists, a page at a time (§7, §8). The lists themselves are synthetic.",
} as const;

export type Tag = keyof typeof tags;
