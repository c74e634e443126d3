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
  /** Whether another request may follow, because it may have crossed the refusal. */
  readonly mayCross: boolean;
}

const ended = { certificate: { ...usualCertificate, hasEnded: true }, status: 401 } as const;

export const oldConnection = defineCheck({
  id: "certificate.old-connection",
  level: "should",
  source: "§4.1 rule 2, good practice",
  exercisedBy: "a refusal because the certificate of the connection has ended",
  failsWhen: "a connection is used again after a request on it was refused because its certificate has ended",
  excuses: [
    "the refusal looks like that of a token: one token request may follow",
    "over HTTP/2, one of several parallel requests may cross the refusal",
  ],
  fix: "Close the connections of a refused certificate, and open new ones with the present one.",
  begin: () => ({ refused: new Map<number, RefusedConnection>() }),
  exchange(observed, { finding, state: { refused }, known: { sent } }) {
    const { id, certificate, connection, stream, arrivedAt, releasedAt, operation } = observed;
    if (certificate === undefined) return;
    const before = refused.get(connection);
    const isToken = operation === "token";
    const isAgain = before !== undefined && arrivedAt > before.at && !(before.mayRequestToken && isToken);
    if (isAgain && !before.mayCross)
      finding.fail("A connection was used again after a request on it was refused because the certificate has ended.", [
        before.id,
        id,
      ]);
    if (!certificate.hasEnded) return;
    finding.exercise(id);
    const mayCross = before === undefined ? stream !== undefined && !sent.alone : before.mayCross && !isAgain;
    const next = before === undefined ? { id, at: releasedAt } : { id: before.id, at: before.at };
    remember(refused, connection, { ...next, mayRequestToken: !isToken && !before, mayCross }, mostConnections);
  },
  fails: { steps: [ping(ended), ping(ended)] },
  innocent: { steps: [ping(ended), token("none", ended)] },
});
