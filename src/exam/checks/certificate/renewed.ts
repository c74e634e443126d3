import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";

/** A certificate of the client, as the judges get it. */
export const usualCertificate = {
  replaces: false,
  hasEnded: false,
  hasOverlapEnded: false,
  chain: undefined,
  left: 86_400_000_000,
} as const;

export const certificateRenewed = defineCheck({
  id: "certificate.renewed",
  level: "should",
  source: "§4.1 rule 1, good practice",
  exercisedBy: "a new connection with a certificate that replaces another one",
  failsWhen: "a new connection still has the old certificate after the overlap",
  excuses: ["an older connection may keep the old certificate until it is refused", "the rotation was held half done"],
  fix: "Read certificate and key together when a connection is opened, or when their files change.",
  exchange({ id, ordinal, certificate }, { finding }) {
    if (ordinal !== 1 || certificate === undefined) return;
    if (certificate.replaces) finding.exercise(id);
    if (certificate.hasOverlapEnded)
      finding.fail("A new connection still had the old certificate when the overlap was over.", [id]);
  },
  fails: {
    steps: [ping({ ordinal: 1, certificate: { ...usualCertificate, hasEnded: true, hasOverlapEnded: true } })],
  },
  innocent: {
    steps: [
      ping({ ordinal: 7, certificate: { ...usualCertificate, hasEnded: true, hasOverlapEnded: true } }),
      ping({ connection: 2, ordinal: 1, certificate: { ...usualCertificate, replaces: true } }),
    ],
  },
});
