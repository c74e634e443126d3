/**
 * The place of a page in its walk. A walk of one page has only that one: it is neither the first nor the last of
 * several.
 */
export const pagePlaces = ["only", "first", "middle", "last"] as const;

export type PagePlace = (typeof pagePlaces)[number];

/**
 * @param page its number, from 1
 * @param leadsOn whether another page follows
 */
export function placeInWalk(page: number, leadsOn: boolean): PagePlace {
  if (page === 1) return leadsOn ? "first" : "only";
  return leadsOn ? "middle" : "last";
}
