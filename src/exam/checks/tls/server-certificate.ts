import { defectFacts, type ServerDefect } from "../../../sandbox/connection/server-defect.js";
import { defineCheck } from "../../check.js";
import { handshake, ping } from "../../conversation.js";
import type { HandshakeObservation } from "../../observation.js";

/** The causes of handshakes in which the client saw the server certificate and refused it, if the client ended them. */
const turnedAway = new Set(["client-refused-our-certificate", "closed-by-client", "no-request"]);

/**
 * Whether a client turned away after it had seen the server certificate. Programs that judge it themselves end the
 * handshake with an alert that does not name the certificate, such as `internal_error`.
 */
function hasTurnedAway({ cause, alert, endedByServer }: HandshakeObservation): boolean {
  return !endedByServer && (turnedAway.has(cause) || (cause === "other" && alert !== undefined));
}

/** A defect that some clients accept by default says nothing about this one. */
function isJudged(defect: ServerDefect | undefined): boolean {
  return defect !== undefined && defectFacts(defect).acceptedBy === undefined;
}

export const serverCertificate = defineCheck({
  id: "tls.server-certificate",
  level: "must",
  source: "RFC 6750 §5.3",
  exercisedBy:
    "a connection that was shown a defective server certificate on purpose, with a defect that all clients refuse",
  failsWhen: "a request arrives on a connection whose server certificate is defective on purpose",
  excuses: ["some clients accept the defect by default"],
  fix: "Verify the server certificate's chain, dates and host name.",
  exchange({ id, serverDefect }, { finding }) {
    if (!isJudged(serverDefect)) return;
    const defect = `defective on purpose (${serverDefect})`;
    finding.fail(`A request was sent on a connection whose server certificate was ${defect}.`, [id]);
  },
  handshake(observed, { finding }) {
    if (isJudged(observed.serverDefect) && hasTurnedAway(observed)) finding.exerciseByHandshake(observed.id);
  },
  fails: { steps: [ping({ serverDefect: "wrong-host" })] },
  innocent: { steps: [handshake({ cause: "other", alert: "internal_error", serverDefect: "wrong-host" })] },
});
