import { randomUUID } from "node:crypto";
import type { IssuedToken } from "../scenarios/fault.js";
import type { GivenToken } from "../scenarios/tokens.js";
import { changeClient } from "./change-client.js";
import type { Call } from "./service.js";

/** A token as it is to be issued. */
interface WantedToken extends IssuedToken {
  readonly scope: string;
  /** Whether it is by a scenario: it is a new one, and is not given again. */
  readonly isFaulty: boolean;
  /** Whether a scenario lets it end the earlier tokens of the client, whatever `token.earlier` says. */
  readonly endsEarlier?: boolean;
}

/**
 * Issues a token to the client of a request, and ends its earlier ones, or gives it again what it has, as configured
 * (`token.earlier`, `token.repeated`).
 * @returns the token, and whether it was given before
 */
export async function issueToken(
  { service, exchange: { client, now } }: Call,
  { scope, isFaulty, endsEarlier = false, type: _type, ...claims }: WantedToken,
): Promise<{ readonly token: GivenToken; readonly isRepeated: boolean }> {
  if (!client) throw new Error("A token cannot be issued without a client.");
  const { values } = service.assumptions;
  const { thumbprint, expiresAt } = claims;
  const isKept = values["token.repeated"] === "same" && !isFaulty;
  const again = ({ scenario }: typeof client) => (isKept ? scenario.tokens.again(scope, thumbprint, now) : undefined);
  let known = again(client);
  if (known !== undefined) return { token: known, isRepeated: true };
  const id = randomUUID();
  const text = await service.tokens.issue({ clientId: client.id, scope, id, ...claims });
  const token: GivenToken = { text, id, scope, thumbprint, expiresAt };
  const isEnd = endsEarlier || values["token.earlier"] === "ends";
  const ends = isEnd ? { at: now, byScenario: endsEarlier } : undefined;
  if (!client.hadToken || isKept || isEnd || client.scenario.tokens.areNoted)
    await changeClient(service, client, (present) => {
      // A parallel request may have been faster.
      known = again(present);
      if (known !== undefined) return;
      present.hadToken = true;
      present.scenario.tokens.issued(token, { ends, isKept });
    });
  return { token: known ?? token, isRepeated: known !== undefined };
}

/** A token that a scenario refuses with 401 is not given again: its client does what it should, and gets a new one. */
export async function dropRefusedToken({ service, exchange: { client, token } }: Call): Promise<void> {
  if (client && token && client.scenario.tokens.isKept(token.id))
    await changeClient(service, client, ({ scenario }) => scenario.tokens.drop(token.id));
}
