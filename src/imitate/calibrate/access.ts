import type { ErrorAssumptionId } from "../../sandbox/assumptions.js";
import { stepId } from "./list-asker.js";
import { altered, type CalibrationsOf, callStep, type Probe, type Reading, readingOf, type Step } from "./probe.js";
import { readRefusal } from "./refusal.js";
import { pingPath, type SeenAnswers, tokenIn } from "./seen-answers.js";

const noToken = callStep("access.no-token", "ping without a token", pingPath, { token: null });
const alteredToken: Step = {
  id: "access.altered-token",
  says: "ping with an altered token",
  request: (known) => {
    const { token } = known;
    return token === undefined ? undefined : known.call(pingPath, { token: altered(token) });
  },
};
const madeUpToken = callStep("access.made-up-token", "ping with a token that was never issued", pingPath, {
  token: "calibrate",
});
const otherCertificate = callStep("other.ping", "ping with the token of another certificate", pingPath, {
  identity: "other",
});
const noCertificate = callStep("none.ping", "ping with a token and no certificate", pingPath, { identity: "none" });
const smallToken: Step = {
  id: "access.other-scope-token",
  says: "a token request with the other scope",
  request: (known) => {
    const { otherScope } = known.options;
    return otherScope === undefined ? undefined : known.tokenCall({ scope: otherScope });
  },
};
const smallScope: Step = {
  id: "access.other-scope",
  says: "ping with a token of the other scope",
  request: (known) => {
    if (known.printed) return known.options.otherScope === undefined ? undefined : known.call(pingPath);
    const token = tokenIn(known.answer(smallToken.id));
    return token === undefined ? undefined : known.call(pingPath, { token });
  },
};

/** Access: tokens with a request, and certificates. */
export const accessCalibrations: CalibrationsOf<"bearer" | "certificate"> = {
  "bearer.missing-token": probeWithLists("bearer.missing-token", [noToken], "no-token"),
  "bearer.invalid-token": probeWithLists("bearer.invalid-token", [alteredToken, madeUpToken], "made-up-token"),
  "bearer.other-certificate": {
    steps: () => [noCertificate, otherCertificate],
    read: readBinding,
  },
  "bearer.insufficient-scope": {
    steps: () => [smallToken, smallScope],
    read: (known) => readRefusal(known, "bearer.insufficient-scope", [smallScope]),
  },
  "certificate.handshake": { steps: () => [], read: readHandshake },
};

/** A refusal of ping. Those of lists confirm or refute it, and take its place where ping itself is refused. */
function probeWithLists(id: ErrorAssumptionId, steps: readonly Step[], what: string): Probe {
  return { steps: () => steps, read: (known) => readRefusal(known, id, [...steps, ...ofLists(known, what)]) };
}

/** The same requests about lists. */
function ofLists(known: SeenAnswers, what: string): readonly { readonly id: string }[] {
  return known.options.lists.map((list) => ({ id: stepId(list, what) }));
}

/** Rule 2 of §4.1 has no half: a token that is accepted with one other certificate is not bound. */
function readBinding(known: SeenAnswers): readonly Reading[] {
  const steps = [noCertificate, otherCertificate, ...ofLists(known, "other")];
  const unbound = steps.filter(({ id }) => known.accepted(id) === true);
  return readRefusal(known, "bearer.other-certificate", unbound.length > 0 ? unbound : steps);
}

/** The result of a connection without a certificate. */
function readHandshake(known: SeenAnswers): readonly Reading[] {
  const evidence = known.observations(noCertificate.id, "none.token");
  if (evidence.length === 0) return [];
  const place = ["tls", "clientCertificate"];
  const isAnswered = evidence.some(({ outcome }) => "answer" in outcome);
  return [isAnswered ? readingOf(place, "request", evidence) : readingOf(place, "require", evidence, [], "likely")];
}
