import { wrongConnections } from "./connections.js";
import { wrongRequests } from "./requests.js";
import { wrongRetries } from "./retries.js";
import { wrongWithTokens } from "./tokens.js";
import { wrongWalks } from "./walks.js";
import type { WrongClient } from "./wrong-client.js";

/** For each check of what is seen on the wire, clients that fail it and no other. */
export const wrongClients: readonly WrongClient[] = [
  ...wrongRequests,
  ...wrongWithTokens,
  ...wrongConnections,
  ...wrongRetries,
  ...wrongWalks,
];

/** The first client of each check that does not wait. */
export const quickOnes: readonly WrongClient[] = firstOfEach(false);

/** The first client of each check that waits, and all whose proof needs to know what they do without a fault. */
export const slowOnes: readonly WrongClient[] = wrongClients.filter(
  (wrong) => wrong.inExam || firstOfEach(true).includes(wrong),
);

function firstOfEach(waits: boolean): readonly WrongClient[] {
  const chosen = wrongClients.filter((wrong) => (wrong.waits ?? false) === waits);
  return chosen.filter(({ fails }, index) => chosen.findIndex((wrong) => wrong.fails === fails) === index);
}
