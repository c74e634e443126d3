/**
 * The pieces that make Node faster with its public API. `false` turns a piece off: the sandbox behaves the same, but is slower. (Without
 * `lightRequests`, header names are sent in lower case.) The vitest project `untuned` runs with all of them off.
 */
export const switches: Readonly<Record<Piece, boolean>> = {
  lightRequests: true,
  emptyBodies: true,
  groupedWrites: true,
  sharedHeaders: true,
};

type Piece = "lightRequests" | "emptyBodies" | "groupedWrites" | "sharedHeaders";
