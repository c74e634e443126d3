import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping, token } from "../../conversation.js";
import { usualCertificate } from "./renewed.js";

/** How many connections of a client whose certificate was refused are remembered. */
const mostConnections = 64;

/** A connection over which a certificate was refused because it has ended. */
interface RefusedConnection {
  readonly id: number;
  /** When the refusal was sent. */
  readonly at: number;
  /** Whether a token request may follow: a token that is refused is replaced by a new one. */
  readonly mayRequestToken: boolean;
}

const ended = { certificate: { ...usualCertificate, hasEnded: true }, status: 401 } as const;

export const oldConnection = defineCheck({
  id: "certificate.old-connection",
  level: "should",
  source: "§4.1 rule 2, good practice",
  exercisedBy: "a refusal because the certificate of the connection has ended",
  failsWhen: "a connection is used again after a request on it was refused because its certificate has ended",
  excuses: ["the refusal looks like that of a token: one token request may follow"],
  fix: "Close the connections of a refused certificate, and open new ones with the present one.",
  begin: () => ({ refused: new Map<number, RefusedConnection>() }),
  exchange({ id, certificate, connection, arrivedAt, releasedAt, operation }, { finding, state: { refused } }) {
    if (certificate === undefined) return;
    const before = refused.get(connection);
    const isToken = operation === "token";
    if (before !== undefined && arrivedAt > before.at && !(before.mayRequestToken && isToken))
      finding.fail("A connection was used again after a request on it was refused because the certificate has ended.", [
        before.id,
        id,
      ]);
    if (!certificate.hasEnded) return;
    finding.exercise(id);
    remember(refused, connection, { id, at: releasedAt, mayRequestToken: !isToken && !before }, mostConnections);
  },
  fails: { steps: [ping(ended), ping(ended)] },
  innocent: { steps: [ping(ended), token("none", ended)] },
});
