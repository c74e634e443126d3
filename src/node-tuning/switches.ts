/**
 * The pieces that make Node faster by its public API. `false` turns a piece off: the sandbox then behaves the same, and is slower. (Without
 * `lightRequests`, header names are sent in lower case.) The vitest project `untuned` runs with all of them off.
 */
export const switches: Readonly<Record<Piece, boolean>> = {
  lightRequests: true,
  emptyBodies: true,
  groupedWrites: true,
  sharedHeaders: true,
};

type Piece = "lightRequests" | "emptyBodies" | "groupedWrites" | "sharedHeaders";
