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

/** The first of each kind of check, such as those of tokens, that does not wait. */
export const quickOnes: readonly WrongClient[] = firstOfEach(
  wrongClients.filter(({ waits }) => !waits),
  ({ fails }) => fails.split(".", 1)[0] ?? fails,
);

/** The first of each check, waiting or not, and all whose proof needs to know what they do without a fault. */
export const slowOnes: readonly WrongClient[] = wrongClients.filter(
  (wrong) => wrong.inExam || firstOfEach(wrongClients, ({ fails, waits }) => `${fails} ${waits}`).includes(wrong),
);

function firstOfEach(clients: readonly WrongClient[], kindOf: (wrong: WrongClient) => string): readonly WrongClient[] {
  return clients.filter((wrong, index) => clients.findIndex((other) => kindOf(other) === kindOf(wrong)) === index);
}
