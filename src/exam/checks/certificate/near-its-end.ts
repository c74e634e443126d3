import { day } from "../../../base/text/duration.js";
import { counted } from "../../../base/text/numbers.js";
import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { usualCertificate } from "./renewed.js";

/** From how many days before its end on the report says how many are left. */
const nearDays = 30;

export const nearItsEnd = defineCheck({
  id: "certificate.near-its-end",
  level: "should",
  source: "good practice",
  exercisedBy: "a request over a certificate with at most 30 days left",
  failsWhen: { never: "the report only says how many days are left" },
  excuses: [],
  fix: "Renew the certificate before its end: POST /clients/ID/rotate rehearses that.",
  begin: () => ({ fewestDays: Number.POSITIVE_INFINITY }),
  exchange({ id, certificate }, { finding, state }) {
    if (certificate === undefined) return;
    const days = Math.floor(certificate.left / day);
    if (days < 0 || days > nearDays || days >= state.fewestDays) return;
    state.fewestDays = days;
    finding.exercise(id);
    finding.remark = `The certificate has ${counted(days, "day")} left; nothing is judged by that.`;
  },
  innocent: { steps: [ping({ certificate: { ...usualCertificate, left: day } })] },
});
