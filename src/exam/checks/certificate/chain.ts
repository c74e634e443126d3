import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { usualCertificate } from "./renewed.js";

export const chain = defineCheck({
  id: "certificate.chain",
  level: "must",
  source: "RFC 8446 §4.4.2",
  exercisedBy: "a connection with a certificate that an intermediate CA has issued, such as chained",
  failsWhen: "a certificate of an intermediate CA is sent without the certificate of that CA",
  excuses: [],
  fix: "Send the whole chain, leaf first, as in cert.pem and identity.pem.",
  exchange({ id, certificate }, { finding }) {
    if (certificate?.chain === "sent") finding.exercise(id);
    if (certificate?.chain === "missing")
      finding.fail("A certificate of an intermediate CA was sent without the certificate of this CA.", [id]);
  },
  fails: { steps: [ping({ certificate: { ...usualCertificate, chain: "missing" } })] },
  innocent: { steps: [ping({ certificate: { ...usualCertificate, chain: "sent" } })] },
});
