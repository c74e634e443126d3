/** How an entry of the journal ended. */
export const outcomes = ["success", "refused", "injected", "handshake"] as const;

export type Outcome = (typeof outcomes)[number];
