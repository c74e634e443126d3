import { defineCheck } from "../../check.js";
import { handshake, ping } from "../../conversation.js";

export const encrypted = defineCheck({
  id: "tls.encrypted",
  level: "must",
  source: "§5 point 1",
  exercisedBy: "any connection",
  failsWhen: "plain HTTP is sent",
  excuses: [],
  fix: "Use a base URL that begins with https://.",
  exchange({ id }, { finding }) {
    finding.exercise(id);
  },
  handshake({ id, cause }, { finding }) {
    if (cause === "plain-http") finding.fail("Plain HTTP was sent to the port that speaks HTTPS.", [], [id]);
    else finding.exerciseByHandshake(id);
  },
  fails: { steps: [handshake({ cause: "plain-http", protocol: undefined })] },
  innocent: { steps: [handshake({ cause: "other", protocol: undefined }), ping()] },
});
